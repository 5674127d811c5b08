// The least that a bot of a process per turn does: arguments in, a letter out.
#include <unistd.h>

int main(void) { return write(1, "A\n", 2) != 2; }
