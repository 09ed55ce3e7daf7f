// How V8 runs Weir: set before anything of it is compiled. Each with its figure in test/bench/PROFILE.md.

/** Flags that Node 20 to 26 all know. */
export const ENGINE: readonly string[] = [
  // V8 would come to make what a call needs in the old heap, for it is kept until it is booked; from there all that the call
  // has touched is let go by full collections alone: 10 KB a call in place of 2.
  '--no-allocation-site-pretenuring',
  // A young heap that has shrunk in a quiet minute grows back at once: else the next crowd's calls are old before they are booked.
  '--semi-space-growth-factor=16',
  // Eight quiet seconds would have V8 give memory back, and with it what it knows of the code: the next crowd found it cold.
  // Ten minutes are a rest in which a quarter of the memory is worth that.
  '--gc-memory-reducer-start-delay-ms=600000',
  // Streams and sockets come in more shapes than four.
  '--max-valid-polymorphic-map-count=8',
]
