# Warnings for our own code; errors only where BAYESID_WERROR asks for it, so that users' compilers never break.
add_library(bayesid_warnings INTERFACE)
add_library(bayesid::warnings ALIAS bayesid_warnings)
target_compile_options(bayesid_warnings INTERFACE -Wall -Wextra -Wshadow $<$<BOOL:${BAYESID_WERROR}>:-Werror>)
