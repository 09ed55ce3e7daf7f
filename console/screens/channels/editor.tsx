// The panel that makes channels and changes one.
import { useEffect, useState } from 'react'
import type { PartProps } from './part.ts'
import { ChannelForm } from '../../../core/channels/channel.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFields } from '../../parts/declared-fields.tsx'
import { isJsonField } from '../../parts/json-text.ts'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { AdvancedPart } from './advanced-part.tsx'
import { ConnectionPart } from './connection-part.tsx'
import { brokenJsonField, draftOf, requestOf, type jsonFields, type ChannelDraft } from './form.ts'
import { ModelsPart } from './models-part.tsx'
import { RoutingPart } from './routing-part.tsx'
import { words } from './texts.ts'

interface Props {
  /** Null to make new ones. */
  id: number | null
  types: ChannelType[]
  groups: string[]
  onClose(): void
  onSaved(): void
}

export function ChannelEditor({ id, types, groups, onClose, onSaved }: Props) {
  const t = useTexts(words)
  const field = useFields(ChannelForm)
  const isNew = id === null
  const source = useEndpoint(async () => (id === null ? null : await client.channels.get({ id })), [id])
  const [draft, setDraft] = useState<ChannelDraft>(() => firstDraft(types))
  const loaded = source.data
  useEffect(() => {
    if (loaded) setDraft(draftOf(loaded))
  }, [loaded])
  const type = types.find((declared) => declared.type === draft.type)

  const [save, busy] = useAction(async () => {
    const wrong = whatIsWrong(draft, isNew && (type?.needs_key ?? true), t, (name) => field(name).label)
    if (wrong) return notify.info(wrong)
    if (id === null) await client.channels.create(requestOf(draft))
    else await client.channels.update({ id, ...requestOf(draft) })
    notify.success(isNew ? t.created : t.updated)
    onSaved()
    onClose()
  })

  const part: PartProps = {
    draft,
    types,
    type,
    isNew,
    set: (change) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={isNew ? t.newTitle : t.editTitle}
      open
      side={isNew ? 'left' : 'right'}
      busy={busy || source.loading}
      submit={t.submit}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {!isNew && !loaded ? (
        source.error ? (
          <p role="alert">{source.error}</p>
        ) : (
          <Waiting />
        )
      ) : (
        <>
          <ConnectionPart {...part} />
          <ModelsPart {...part} />
          <RoutingPart {...part} groups={groups} />
          <AdvancedPart {...part} />
        </>
      )}
    </SidePanel>
  )
}

/** A new channel starts as the first type, with that type's models. */
function firstDraft(types: ChannelType[]): ChannelDraft {
  const draft = draftOf(null)
  const type = types.find(({ type }) => type === draft.type) ?? types[0]
  return type ? { ...draft, type: type.type, models: type.models } : draft
}

function whatIsWrong(
  draft: ChannelDraft,
  needsKey: boolean,
  t: Record<keyof (typeof words)['en'], string>,
  label: (name: (typeof jsonFields)[number]) => string,
): string | null {
  if (draft.name.trim() === '' || (needsKey && draft.key.trim() === '')) return t.needNameKey
  if (draft.models.length === 0) return t.needModel
  if (!isJsonField(draft.model_mapping)) return t.mappingError
  const broken = brokenJsonField(draft)
  return broken ? fill(t.jsonError, { field: label(broken) }) : null
}
