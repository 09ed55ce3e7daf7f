// An item of the checklist: a statement of the specification about a screen, in our own words, and the tests that prove
// it.

/** A test, by its file below `test/` without `.test.ts`, and the beginning of its title, which no other title there has. */
export interface Shown {
  file: string
  name: string
}

export interface Claim {
  says: string
  shown: readonly Shown[]
}

/** One screen of the specification, or what it says of all of them. */
export interface Part {
  title: string
  /** By their numbers: that of the screen, and their own. */
  claims: Readonly<Record<string, Claim>>
}

/** A claim that was broken on purpose, to see whether its tests notice. */
export interface Breakage {
  claim: string
  /** What was changed in the product. */
  broken: string
  /** The test that failed. */
  test: string
  /** What it said. */
  said: string
  /** What the tests had to learn first, where they did not notice. */
  learned?: string
}

/** Tests of one file. */
export const inFile =
  (file: string) =>
  (...names: string[]): Shown[] =>
    names.map((name) => ({ file, name }))

export const claim = (says: string, ...shown: (readonly Shown[])[]): Claim => ({ says, shown: shown.flat() })
