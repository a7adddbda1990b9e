// Nothing is called by name: the compiler makes the calls to what the C files of this target define.
