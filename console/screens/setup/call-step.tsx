// The first call of the newest token: from here or from a client, and its answer with time and cost.
import { useEffect } from 'react'
import { LOG_TYPE } from '../../../core/calls/log-entry.ts'
import { USUAL_MODEL } from '../../../core/tokens/guides.ts'
import { fullKey, type Token } from '../../../core/tokens/token.ts'
import { client } from '../../data/client.ts'
import { useServerAddress } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { ClientGuide } from '../../parts/client-guide.tsx'
import { PickOne } from '../../parts/combobox.tsx'
import { Field } from '../../parts/field.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { useModel } from '../tokens/connect.tsx'
import { FirstCall } from '../tokens/first-call.tsx'
import { useFirstCall } from '../tokens/use-first-call.ts'
import { words } from './path-texts.ts'
import type { StepProps } from './use-facts.ts'

export function CallStep({ facts, changed }: StepProps) {
  const t = useTexts(words)
  const { newest } = facts
  const { data: token } = useEndpoint(['tokens.get', newest], async () =>
    newest > 0 ? client.tokens.get({ id: newest }) : null,
  )
  if (newest === 0) return <p className="muted">{t.tokenFirst}</p>
  return token ? <Calling token={token} answered={facts.answered} changed={changed} /> : <LoadingIndicator />
}

function Calling({ token, answered, changed }: { token: Token; answered: boolean; changed(): void }) {
  const t = useTexts(words)
  const key = fullKey(token.key)
  const address = useServerAddress()
  const call = useFirstCall(token, key)
  const [model, setModel, models] = useModel(token)
  const isAnswer = call.row !== undefined && call.row.type !== LOG_TYPE.error
  useEffect(() => {
    if (isAnswer && !answered) changed()
  }, [isAnswer, answered, changed])
  return (
    <div className="connect">
      <FirstCall call={call} model={model} />
      <Field label={t.model}>
        <PickOne label={t.model} value={model} onChange={setModel} options={models.map((value) => ({ value }))} free />
      </Field>
      <ClientGuide first={{ key, address, model: model || USUAL_MODEL }} />
    </div>
  )
}
