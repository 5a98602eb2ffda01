/* A C file. */
int twice(int x) { return 2 * x; }
