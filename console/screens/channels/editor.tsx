// The panel that creates channels and edits one.
import { useEffect, useState } from 'react'
import type { PartProps } from './part.ts'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { showFieldErrors, type FieldRefusal } from '../../data/refused-field.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useManaged } from '../../data/use-managed.ts'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFields } from '../../parts/declared-fields.tsx'
import { isJsonField } from '../../parts/json-text.ts'
import { ManagedNote } from '../../parts/managed-note.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { AdvancedPart } from './advanced-part.tsx'
import { ConnectionPart } from './connection-part.tsx'
import { DraftTest } from './draft-test.tsx'
import { findBrokenJsonField, toChannelDraft, toChannelRequest, type jsonFields, type ChannelDraft } from './form.ts'
import { KeysPart } from './keys-part.tsx'
import { ModelsPart } from './models-part.tsx'
import { RoutingPart } from './routing-part.tsx'
import { form } from './form.built.ts'
import { words } from './texts.ts'

interface Props {
  /** null to create channels. */
  id: number | null
  types: ChannelType[]
  groups: string[]
  onClose(): void
  onSaved(): void
}

export function ChannelEditor({ id, types, groups, onClose, onSaved }: Props) {
  const t = useTexts(words)
  const field = useFields(form)
  const isNew = id === null
  const source = useEndpoint(['channels.get', id], async () => (id === null ? null : await client.channels.get({ id })))
  const [draft, setDraft] = useState<ChannelDraft>(() => firstDraft(types))
  const loaded = source.data
  const [version, setVersion] = useState<number>()
  useEffect(() => {
    if (!loaded) return
    setDraft(toChannelDraft(loaded))
    setVersion(loaded.version)
  }, [loaded])
  const managed = useManaged(loaded ? [`channels ${loaded.slug}`] : [])
  const type = types.find((declared) => declared.type === draft.type)

  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, isNew && (type?.needs_key ?? true), t, (name) => field(name).label)
    if (wrong.length > 0) return showFieldErrors(wrong, 'info')
    if (id === null) await client.channels.create(toChannelRequest(draft))
    else await client.channels.update({ id, version, ...toChannelRequest(draft) })
    notify.success(isNew ? t.created : t.updated)
    onSaved()
    onClose()
  })

  const part: PartProps = {
    id,
    draft,
    types,
    type,
    isNew,
    set: (change) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={isNew ? t.newTitle : t.editTitle}
      side={isNew ? 'left' : 'right'}
      busy={busy || source.loading}
      submit={isNew ? t.create : t.save}
      extra={(isNew || loaded) && <DraftTest id={id} draft={draft} />}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {source.error ? (
        <p role="alert">{source.error}</p>
      ) : !isNew && (!loaded || source.loading) ? (
        // Values read earlier may have an old version.
        <LoadingIndicator />
      ) : (
        <>
          {managed && <ManagedNote {...managed} />}
          <ConnectionPart {...part} />
          {loaded && (
            <KeysPart
              id={loaded.id}
              name={loaded.name}
              version={version}
              onChanged={(now) => {
                // The draft is retained.
                setVersion(now.version)
                part.set({ key_mode: toChannelDraft(now).key_mode })
                onSaved()
              }}
            />
          )}
          <ModelsPart {...part} />
          <RoutingPart {...part} groups={groups} />
          <AdvancedPart {...part} />
        </>
      )}
    </SidePanel>
  )
}

/** A new channel starts with the first type and its models. */
function firstDraft(types: ChannelType[]): ChannelDraft {
  const draft = toChannelDraft(null)
  const type = types.find(({ type }) => type === draft.type) ?? types[0]
  return type ? { ...draft, type: type.type, models: type.models } : draft
}

function findFieldErrors(
  draft: ChannelDraft,
  needsKey: boolean,
  t: Record<keyof (typeof words)['en'], string>,
  label: (name: (typeof jsonFields)[number]) => string,
): FieldRefusal[] {
  const broken = findBrokenJsonField(draft)
  const seen: [boolean, FieldRefusal][] = [
    [draft.name.trim() === '', { field: 'name', message: t.needNameKey }],
    [needsKey && draft.key.trim() === '', { field: 'key', message: t.needNameKey }],
    [draft.models.length === 0, { field: 'models', message: t.needModel }],
    [!isJsonField(draft.model_mapping), { field: 'model_mapping', message: t.mappingError }],
  ]
  const wrong = seen.filter(([isWrong]) => isWrong).map(([, refusal]) => refusal)
  return broken ? [...wrong, { field: broken, message: fillPhrase(t.jsonError, { field: label(broken) }) }] : wrong
}
