// The widget of the human check, or an error if it could not be loaded.
import { foreignScriptOrigins } from '../../../core/contract/frames.ts'
import { getUrlHost, type HumanCheck as Check } from '../../data/use-human-check.ts'
import { useText } from '../../data/texts.tsx'
import { LoadFailed } from '../status/unloaded.tsx'

export function HumanCheck({ check: { off, failed, box, again } }: { check: Check }) {
  const t = useText()
  if (off) return null
  return (
    <div className="human-check">
      <div ref={box} />
      {failed && (
        <LoadFailed onAgain={again}>
          {t(
            'The human check could not be loaded from {host}. Signing in needs it: let the browser reach that address, then try again.',
            { host: getUrlHost(foreignScriptOrigins.turnstile.address) },
          )}
        </LoadFailed>
      )}
    </div>
  )
}
