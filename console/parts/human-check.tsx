// The widget of the human check, or an error if it could not be loaded.
import { foreignScripts } from '../../core/contract/frames.ts'
import { getHost, type HumanCheck as Check } from '../data/use-human-check.ts'
import { fillPhrase, useTexts } from '../data/texts.tsx'
import { LoadFailed } from './unloaded.tsx'
import { words } from './texts.ts'

export function HumanCheck({ check: { off, failed, box, again } }: { check: Check }) {
  const t = useTexts(words)
  if (off) return null
  return (
    <div className="human-check">
      <div ref={box} />
      {failed && (
        <LoadFailed onAgain={again}>
          {fillPhrase(t.humanLost, { host: getHost(foreignScripts.turnstile.address) })}
        </LoadFailed>
      )}
    </div>
  )
}
