// The dialog of a new key: the key itself, the configuration of each client, and the first call as it arrives.
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { LOG_ROW_TYPE } from '../../../core/calls/log-entry.ts'
import { isChatModelName } from '../../../core/models/model-kind.ts'
import { DEFAULT_GUIDE_MODEL } from '../../../core/tokens/token.ts'
import { toFullKey, parseSeparatedList, type Token } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { useServerAddress } from '../../data/status.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { ClientGuide } from '../../parts/text/client-guide.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { CopyableText } from '../../parts/text/copy.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { Button } from '../../semi.ts'
import { FirstCall, useFirstCall } from './first-call.tsx'
import './connect.css'

interface Props {
  /** Tokens with their whole keys. */
  tokens: readonly Token[]
  /** The tokens have just been created. */
  isNew: boolean
  onClose(): void
}

export function ConnectDialog({ tokens, isNew, onClose }: Props) {
  const t = useText()
  const [token] = tokens
  const many = tokens.length > 1
  return (
    <ModalDialog
      wide
      title={!isNew ? t('Connect a client') : many ? t('Your {n} new keys', { n: tokens.length }) : t('Your new key')}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      {isNew && (
        <InlineNote>
          {many
            ? t('Copy them now: lists show only their first and last characters.')
            : t('Copy it now: lists show only its first and last characters.')}
        </InlineNote>
      )}
      {many ? (
        <CodeBlock label={t('keys')} text={tokens.map(({ name, key }) => `${name}    ${toFullKey(key)}`).join('\n')} />
      ) : (
        token && (
          <>
            <KeyConfigurations token={token} whole={toFullKey(token.key)} onLeave={onClose} />
            <p>
              <Link to={`/keys/${token.id}`} onClick={onClose}>
                {t('Open on its own page')}
              </Link>
            </p>
          </>
        )
      )}
    </ModalDialog>
  )
}

interface OneKeyProps {
  token: Token
  /** The key with its prefix. */
  whole: string
  /** The models that the user may call; they are requested if absent. */
  known?: readonly string[]
  /** Called before a link to the log leaves the surrounding dialog. */
  onLeave?(): void
  /** Called when a call was answered. */
  onAnswer?: (() => void) | undefined
}

/** The configuration of each client for a key, and its first call as it arrives. */
export function KeyConfigurations({ token, whole: key, known, onLeave, onAnswer }: OneKeyProps) {
  const t = useText()
  const address = useServerAddress()
  const call = useFirstCall(token, key)
  const [model, setModel, models] = useFirstCallModel(token, known)
  const isAnswered = call.row !== undefined && call.row.type !== LOG_ROW_TYPE.error
  useEffect(() => {
    if (isAnswered) onAnswer?.()
  }, [isAnswered, onAnswer])
  return (
    <div className="connect">
      <div className="connect-key">
        <CopyableText text={key} />
      </div>
      <FirstCall call={call} model={model} onLeave={onLeave} />
      <FormField label={t('Model')}>
        <SingleCombobox
          label={t('Model')}
          value={model}
          onChange={setModel}
          placeholder={t('No model can be called yet')}
          options={models.map((value) => ({ value }))}
          free
        />
      </FormField>
      <h2>{t('Paste this into your client')}</h2>
      <ClientGuide first={{ key, address, model: model || DEFAULT_GUIDE_MODEL }} begins="Claude Code" />
    </div>
  )
}

/** Returns the model of the first call (by default a chat model), its setter, and the models that the token may call. */
function useFirstCallModel(token: Token, known: readonly string[] | undefined) {
  const { data = known ?? [] } = useEndpoint(['users.models'], () => apiClient.users.models(), known === undefined)
  const [chosen, setChosen] = useState('')
  const models = token.model_limits_enabled ? parseSeparatedList(token.model_limits) : data
  const usual = models.includes(DEFAULT_GUIDE_MODEL) ? DEFAULT_GUIDE_MODEL : models.find(isChatModelName)
  return [chosen || usual || (models[0] ?? ''), setChosen, models] as const
}
