# Warnings for our own code; errors only where BAYESID_WERROR asks for it, so that users' compilers never break.
# Designated initialisers leave defaults out on purpose.
add_library(bayesid_warnings INTERFACE)
add_library(bayesid::warnings ALIAS bayesid_warnings)
target_compile_options(bayesid_warnings INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers $<$<BOOL:${BAYESID_WERROR}>:-Werror>)
