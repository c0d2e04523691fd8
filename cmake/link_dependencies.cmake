# What a program that links bayesid needs, here and, installed beside bayesidConfig.cmake, in projects of others. All libraries
# come inside Python wheels: query the Python of the environment for their paths. Folders in CMAKE_PREFIX_PATH go first.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND
    ${Python3_EXECUTABLE} -c
    "import glob, sys
import scipy_openblas32
prefix = [p for d in sys.path for p in glob.glob(d + '/cmeel.prefix')]
print(prefix[0], scipy_openblas32.get_include_dir(), scipy_openblas32.get_lib_dir(), sep=';', end='')"
  OUTPUT_VARIABLE bayesid_wheels
  RESULT_VARIABLE bayesid_failed)
if(bayesid_failed)
  message(FATAL_ERROR "the wheels of bayesid's requirements.txt are not installed for ${Python3_EXECUTABLE}: run `make build` "
                      "there, or name another Python with -DPython3_EXECUTABLE=...")
endif()
list(GET bayesid_wheels 0 BAYESID_PREFIX)
list(GET bayesid_wheels 1 bayesid_blas_include)
list(GET bayesid_wheels 2 bayesid_blas_lib)
list(APPEND CMAKE_PREFIX_PATH ${BAYESID_PREFIX})
# Of libraries that libraries need.
list(APPEND CMAKE_BUILD_RPATH ${BAYESID_PREFIX}/lib ${BAYESID_PREFIX}/lib64 ${bayesid_blas_lib})

find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(pinocchio REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(tinyxml2 REQUIRED)

add_library(bayesid::eigen INTERFACE IMPORTED)
target_link_libraries(bayesid::eigen INTERFACE Eigen3::Eigen)

# Pinocchio's algorithms and URDF parser; neither its collision nor its OpenMP libraries. Distances of
# shapes come from coal itself, which the parser needs anyway.
add_library(bayesid::pinocchio INTERFACE IMPORTED)
target_link_libraries(bayesid::pinocchio INTERFACE pinocchio::pinocchio_default pinocchio::pinocchio_parsers)

# OpenBLAS: dispatches at run time, so that nothing here needs a machine flag.
add_library(bayesid::blas INTERFACE IMPORTED)
target_include_directories(bayesid::blas SYSTEM INTERFACE ${bayesid_blas_include})
target_link_libraries(bayesid::blas INTERFACE ${bayesid_blas_lib}/libscipy_openblas.so)

add_library(bayesid::zlib INTERFACE IMPORTED)
target_include_directories(bayesid::zlib SYSTEM INTERFACE ${BAYESID_PREFIX}/include)
target_link_libraries(bayesid::zlib INTERFACE ${BAYESID_PREFIX}/lib64/libz.so)
