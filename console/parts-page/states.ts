// Previews of a part on the page of parts, one for each of its states. They are declared in the files `*.previews.tsx`
// of this folder, by the path of the part, and the build does not contain them.
import type { ComponentType } from 'react'
import samples from './samples.json'

/** Each state by its name; a component, so that it can hold state. */
export type Previews = Record<string, ComponentType>

/** A file `*.previews.tsx`: previews by the path of their part below `console/parts`, without its ending. */
export interface PreviewModule {
  previews: Record<string, Previews>
}

export const definePreviews = (states: Previews): Previews => states

/** Long enough to overflow, in both scripts. */
export const LONG_TEXT = samples.long
export const LONG_WORD = 'billing-reports-for-the-whole-organisation-of-1789-and-everything-after-it'

export const doNothing = () => undefined
