// Proof asked for again: a call that is refused for want of it waits until the person has given one, or does not want to.

type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Takes over the asking; the shell does, with a dialog. */
export function onProofWanted(asker: Ask): () => void {
  ask = asker
  return () => {
    if (ask === asker) ask = undefined
  }
}

/** True once the person has proven who they are; several calls at once ask once. */
export function proofGiven(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asking = undefined))
  return asking
}
