// Whether the visitor has touched the page. The files of panels and the values that menus offer are loaded after that: no first
// screen shows them.
import { createSharedValue, useSharedValue } from './page-state.ts'

const touched = createSharedValue(false)

const GESTURES = ['pointermove', 'pointerdown', 'keydown', 'click'] as const

function onGesture(event: Event): void {
  // A browser also reports a pointer that rests while the page below it is laid out.
  if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return
  for (const name of GESTURES) window.removeEventListener(name, onGesture, true)
  touched.set(true)
}
for (const name of GESTURES) window.addEventListener(name, onGesture, { capture: true, passive: true })

/** Runs something when the visitor touches the page for the first time. */
export const onceTouched = (work: () => void): void => void touched.subscribe(work)

export const useTouched = (): boolean => useSharedValue(touched)
