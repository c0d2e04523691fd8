# `cmake --install`: the program, the library with its headers and its package for find_package(bayesid), and the readers of logs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/bayesid)

install(TARGETS bayesid_sid EXPORT bayesid FILE_SET HEADERS)
set_target_properties(bayesid_sid PROPERTIES EXPORT_NAME sid)
install(EXPORT bayesid NAMESPACE bayesid:: FILE bayesidTargets.cmake DESTINATION ${package})
configure_package_config_file(cmake/bayesidConfig.cmake.in bayesidConfig.cmake INSTALL_DESTINATION ${package}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(bayesidConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bayesidConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/bayesidConfigVersion.cmake
              cmake/link_dependencies.cmake DESTINATION ${package})

install(DIRECTORY python/bayesid_logs python/bayesid_reproduce DESTINATION ${BAYESID_PYTHON_FOLDER} FILES_MATCHING PATTERN *.py)
install(FILES docs/guide/config.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/bayesid)
if(TARGET bayesid)
  # Libraries are found in the wheels: those of the environment that holds the program, else those of the build.
  set(rpath)
  cmake_path(GET Python3_EXECUTABLE PARENT_PATH bin)
  foreach(folder ${CMAKE_BUILD_RPATH})
    file(RELATIVE_PATH from_bin ${bin} ${folder})
    if(from_bin MATCHES "^\\.\\./lib")
      list(APPEND rpath $ORIGIN/${from_bin})
    endif()
  endforeach()
  set_target_properties(bayesid PROPERTIES INSTALL_RPATH "${rpath};${CMAKE_BUILD_RPATH}")
  install(TARGETS bayesid)
endif()
