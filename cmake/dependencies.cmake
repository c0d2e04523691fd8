include(${CMAKE_CURRENT_LIST_DIR}/link_dependencies.cmake)
set(BAYESID_ROBOTS ${BAYESID_PREFIX}/share/example-robot-data/robots)

# Headers that the sources alone need.
find_package(proxsuite REQUIRED)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -c "import nlohmann_json; print(nlohmann_json.__path__[0], end='')"
  OUTPUT_VARIABLE json_folder COMMAND_ERROR_IS_FATAL ANY)
add_library(bayesid::json INTERFACE IMPORTED)
target_include_directories(bayesid::json SYSTEM INTERFACE ${json_folder}/include)

# Headers of others are system headers: no warnings from them.
foreach(target Eigen3::Eigen pinocchio::pinocchio_headers proxsuite::proxsuite coal::coal)
  get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${folders})
  endif()
endforeach()
