# All libraries come inside Python wheels: ask the Python of the environment where they are.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND
    ${Python3_EXECUTABLE} -c
    "import glob, sys
import scipy_openblas32, nlohmann_json
prefix = [p for d in sys.path for p in glob.glob(d + '/cmeel.prefix')]
print(prefix[0], scipy_openblas32.get_include_dir(), scipy_openblas32.get_lib_dir(), nlohmann_json.__path__[0], sep=';', end='')"
  OUTPUT_VARIABLE wheel_folders
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the wheels of requirements.txt are not installed for ${Python3_EXECUTABLE}; run `make build`")
endif()
list(GET wheel_folders 0 BAYESID_PREFIX)
list(GET wheel_folders 1 blas_include)
list(GET wheel_folders 2 blas_lib)
list(GET wheel_folders 3 json_folder)
list(PREPEND CMAKE_PREFIX_PATH ${BAYESID_PREFIX})
set(CMAKE_BUILD_RPATH ${BAYESID_PREFIX}/lib ${BAYESID_PREFIX}/lib64 ${blas_lib})
set(BAYESID_ROBOTS ${BAYESID_PREFIX}/share/example-robot-data/robots)

find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(pinocchio REQUIRED)
find_package(proxsuite REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(tinyxml2 REQUIRED)

# Headers of others are system headers: no warnings from them.
foreach(target Eigen3::Eigen pinocchio::pinocchio_headers proxsuite::proxsuite coal::coal)
  get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${folders})
  endif()
endforeach()

add_library(bayesid_eigen INTERFACE)
add_library(bayesid::eigen ALIAS bayesid_eigen)
target_link_libraries(bayesid_eigen INTERFACE Eigen3::Eigen)

# Pinocchio's algorithms and URDF parser; neither its collision nor its OpenMP libraries. Distances of
# shapes come from coal itself, which the parser needs anyway.
add_library(bayesid_pinocchio INTERFACE)
add_library(bayesid::pinocchio ALIAS bayesid_pinocchio)
target_link_libraries(bayesid_pinocchio INTERFACE pinocchio::pinocchio_default pinocchio::pinocchio_parsers)

# OpenBLAS: dispatches at run time, so that nothing here needs a machine flag.
add_library(bayesid_blas INTERFACE)
add_library(bayesid::blas ALIAS bayesid_blas)
target_include_directories(bayesid_blas SYSTEM INTERFACE ${blas_include})
target_link_libraries(bayesid_blas INTERFACE ${blas_lib}/libscipy_openblas.so)

add_library(bayesid_json INTERFACE)
add_library(bayesid::json ALIAS bayesid_json)
target_include_directories(bayesid_json SYSTEM INTERFACE ${json_folder}/include)

add_library(bayesid_zlib INTERFACE)
add_library(bayesid::zlib ALIAS bayesid_zlib)
target_include_directories(bayesid_zlib SYSTEM INTERFACE ${BAYESID_PREFIX}/include)
target_link_libraries(bayesid_zlib INTERFACE ${BAYESID_PREFIX}/lib64/libz.so)
