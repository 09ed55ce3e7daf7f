// What only the person can give: a fresh proof of who they are, or a new session in place of one that has ended. A call that
// is refused for want of it waits until it is given, or is not to be.

type Ask = () => Promise<boolean>

export interface UserPrompt {
  /** Takes over the asking; the shell does, with a dialog. */
  by(asker: Ask): () => void
  /** True once it is given; several calls at once ask once. */
  given(): Promise<boolean>
}

function asked(): UserPrompt {
  let ask: Ask | undefined
  let asking: Promise<boolean> | undefined
  return {
    by(asker) {
      ask = asker
      return () => {
        if (ask === asker) ask = undefined
      }
    },
    given: () => (asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asking = undefined))),
  }
}

export const proof = asked()
export const signIn = asked()
