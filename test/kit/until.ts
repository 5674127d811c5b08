/** Looks again and again until something is so; the test's own time is the limit. For tests that run side by side, in which `expect.poll` is not known. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 20))
}
