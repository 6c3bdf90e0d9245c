@rem npm scripts begin with exec, so that a signal reaches Node instead of ending its shell. This is exec for cmd.exe.
@%*
