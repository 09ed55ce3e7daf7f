// Input that only the user can give: a reauthentication, or a new session after the old one has expired. A call that is
// refused for lack of it waits until the user has given it or has declined.

type Ask = () => Promise<boolean>

export interface UserPrompt {
  /** Registers the function that asks the user; the shell does, with a dialog. */
  onAsk(showPrompt: Ask): () => void
  /** Resolves to true once it is given. Concurrent calls ask once. */
  input(): Promise<boolean>
}

function createUserPrompt(): UserPrompt {
  let ask: Ask | undefined
  let asking: Promise<boolean> | undefined
  return {
    onAsk(showPrompt) {
      ask = showPrompt
      return () => {
        if (ask === showPrompt) ask = undefined
      }
    },
    input: () => (asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => (asking = undefined))),
  }
}

export const reauthenticationPrompt = createUserPrompt()
export const signInPrompt = createUserPrompt()
