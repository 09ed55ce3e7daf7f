// Long results in the person's pager, if there is one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const DEFAULT_PAGER = 'less'

/** Shows text in a pager if it is longer than the terminal. Returns false if it must be printed directly. */
export const showInPager =
  (env: Record<string, string | undefined>, stdout: { rows?: number }) =>
  async (text: string): Promise<boolean> => {
    const pager = env.WEIR_PAGER ?? env.PAGER ?? DEFAULT_PAGER
    const rows = stdout.rows ?? Infinity
    if (pager === '' || pager === 'cat' || text.split('\n').length <= rows) return false
    // Keeps colours, does not clear the screen, and exits if everything fits.
    const child = spawn(pager, {
      shell: true,
      stdio: ['pipe', 'inherit', 'ignore'],
      env: { ...env, LESS: env.LESS ?? 'FRX' },
    })
    // The reader may close the pager before the end.
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)
    const [code] = (await once(child, 'close')) as [number | null]
    return code !== NOT_FOUND
  }

/** Exit code of a shell for a missing program. */
const NOT_FOUND = 127
