// Does not compile.
__global__ void k(int *p) { *p = undeclared; }
