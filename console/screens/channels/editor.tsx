// The panel that creates channels and edits one.
import { useEffect, useRef, useState } from 'react'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { apiClient, isAnswerLost, RequestFailure } from '../../data/client.ts'
import { type RefusedFormField, showNotice, showFieldErrors } from '../../data/notify.ts'
import { useLanguage, type Translate, useText } from '../../data/texts.tsx'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useManaged } from '../../data/use-managed.ts'
import { useAddressQuestion } from '../../parts/form/address-question.tsx'
import { MultipleCombobox, SingleCombobox } from '../../parts/form/combobox.tsx'
import { DeclaredField, DeclaredFields, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { isJsonField } from '../../parts/form/json-text.ts'
import { ManagedNote } from '../../parts/status/managed-note.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Input, TextArea } from '../../semi.ts'
import { ChannelDraftTest } from './draft-test.tsx'
import { channelForm } from './form.built.ts'
import type { ChannelDraft, jsonFieldNames, PartProps } from './form.ts'
import { findBrokenJsonField, toChannelDraft, toChannelRequest } from './form.ts'
import { KeysPart } from './keys-part.tsx'
import { ModelsPart } from './models-part.tsx'
import { isSandbox, SANDBOX_NAME, SandboxBanner } from './sandbox.tsx'
import { SettingPart } from './setting-part.tsx'
// The last part of the channel panel: changes to requests and answers.

export function AdvancedPart({ draft, set }: PartProps) {
  const t = useText()
  return (
    <section className="panel-part">
      <h2>{t('Advanced')}</h2>
      <SettingPart text={draft.setting} set={(setting) => set({ setting })} />
      <DeclaredFields form={channelForm} group="advanced" draft={draft} set={set} />
    </section>
  )
}

// The first part of the channel panel: type, address and key.

export function ConnectionPart(part: PartProps) {
  const t = useText()
  const { label } = useFieldTexts(channelForm)('type')
  const getHint = useHints()
  const { draft, set, type, types } = part
  const choose = (number: number) => {
    const chosen = types.find((declared) => declared.type === number)
    const untouched = draft.models.length === 0 || draft.models.join() === type?.models.join()
    set({ type: number, ...(chosen && untouched ? { models: chosen.models } : {}) })
  }
  const isOffered = (declared: (typeof types)[number]) => !declared.retired || declared.type === draft.type
  return (
    <section className="panel-part">
      <h2>{t('Connection')}</h2>
      <FormField field="type" label={label} required>
        <SingleCombobox
          label={label}
          value={String(draft.type)}
          onChange={(number) => choose(Number(number))}
          options={types.filter(isOffered).map((declared) => ({
            value: String(declared.type),
            label: isSandbox(declared) ? t(SANDBOX_NAME) : declared.name,
            alias: declared.name,
          }))}
        />
      </FormField>
      {type && isSandbox(type) && <SandboxBanner />}
      <DeclaredField form={channelForm} name="name" draft={draft} set={set} required />
      <KeyField {...part} />
      <DeclaredFields form={channelForm} group="keys" draft={draft} set={set} />
      <BaseUrlField {...part} />
      {(type?.fields.other || draft.other !== '') && (
        <DeclaredField form={channelForm} name="other" draft={draft} set={set} {...getHint(type?.fields.other)} />
      )}
      {type?.fields.openai_organization && (
        <DeclaredField
          form={channelForm}
          name="openai_organization"
          draft={draft}
          set={set}
          {...getHint(type.fields.openai_organization)}
        />
      )}
    </section>
  )
}

/** The hints of a channel type for its fields, in the language of the page. */
function useHints() {
  const { language } = useLanguage()
  return (hint: ChannelType['fields']['other']) => ({
    label: hint?.label[language],
    hint: hint?.help?.[language],
    placeholder: hint?.placeholder,
    required: hint?.required,
  })
}

function KeyField({ draft, set, type, isNew }: PartProps) {
  const t = useText()
  const getHint = useHints()
  const declared = useFieldTexts(channelForm)('key')
  const label = getHint(type?.fields.key).label ?? declared.label
  const needed = type?.needs_key ?? true
  const each = t('One key per line makes one channel for each.')
  const hint = !needed
    ? t('This type needs no key.')
    : isNew
      ? type?.env
        ? t('{first} {second}', {
            first: each,
            second: t('Usually stored in the environment variable {name}.', { name: type.env }),
          })
        : each
      : t('Leave blank to keep the current key. It is never shown.')
  return (
    <FormField field="key" label={label} required={isNew && needed} hint={hint}>
      <TextArea
        className="mono"
        aria-label={label}
        placeholder={type?.fields.key?.placeholder}
        autosize={{ minRows: 1, maxRows: 8 }}
        autoComplete="off"
        spellCheck={false}
        value={draft.key}
        onChange={(key) => set({ key })}
      />
    </FormField>
  )
}

function BaseUrlField({ draft, set, type }: PartProps) {
  const t = useText()
  const getHint = useHints()
  const declared = useFieldTexts(channelForm)('base_url')
  const hint = getHint(type?.fields.base_url)
  const label = hint.label ?? declared.label
  const fallback = type?.base_url ?? ''
  return (
    <FormField field="base_url" label={label} required={hint.required} hint={hint.hint ?? declared.help}>
      <Input
        aria-label={label}
        placeholder={hint.placeholder || (fallback ? t('Empty: {url}', { url: fallback }) : 'https://')}
        value={draft.base_url}
        onChange={(base_url) => set({ base_url })}
      />
    </FormField>
  )
}

// The third part of the channel panel: who may use the channel, and how often it is chosen.

export function RoutingPart({ draft, set, groups }: PartProps & { groups: string[] }) {
  const t = useText()
  const { label } = useFieldTexts(channelForm)('group')
  return (
    <section className="panel-part">
      <h2>{t('Groups and routing')}</h2>
      <FormField field="group" label={label} required>
        <MultipleCombobox
          label={label}
          free
          value={draft.groups}
          options={[...new Set([...groups, ...draft.groups])].map((value) => ({ value }))}
          onChange={(chosen) => set({ groups: chosen })}
        />
      </FormField>
      <div className="field-columns">
        <DeclaredFields form={channelForm} group="order" draft={draft} set={set} />
      </div>
      <DeclaredFields form={channelForm} group="routing" draft={draft} set={set} />
    </section>
  )
}

interface Props {
  /** null to create channels. */
  id: number | null
  types: ChannelType[]
  groups: string[]
  onClose(): void
  onSaved(): void
}

export function ChannelEditor({ id, types, groups, onClose, onSaved }: Props) {
  const t = useText()
  const field = useFieldTexts(channelForm)
  const isNew = id === null
  const source = useEndpointWithError(['channels.get', id], async () =>
    id === null ? null : await apiClient.channels.get({ id }),
  )
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

  /** The request that was submitted without an answer: it may have been saved, and a second one may create it twice. */
  const lost = useRef('')
  const [askAddress, addressQuestion] = useAddressQuestion(loaded?.base_url)
  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, isNew && (type?.needs_key ?? true), t, (name) => field(name).label)
    if (wrong.length > 0) return showFieldErrors(wrong, 'info')
    const base_url = await askAddress(draft.base_url)
    if (base_url === null) return
    setDraft((old) => ({ ...old, base_url }))
    const request = toChannelRequest({ ...draft, base_url })
    if (JSON.stringify(request) === lost.current) {
      // The list shows whether the channel was saved.
      onSaved()
      return showNotice.error(t('Submission failed, do not resubmit'))
    }
    try {
      if (id === null) await apiClient.channels.create(request)
      else await apiClient.channels.update({ id, version, ...request })
    } catch (error) {
      if (error instanceof RequestFailure && isAnswerLost(error)) lost.current = JSON.stringify(request)
      throw error
    }
    showNotice.success(isNew ? t('channel created') : t('channel updated'))
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
      title={isNew ? t('New channel') : t('Edit channel {name}', { name: loaded?.name ?? `#${id}` })}
      side={isNew ? 'left' : 'right'}
      busy={busy || source.loading}
      submit={isNew ? t('Create channel', { context: 'save' }) : t('Save')}
      extra={(isNew || loaded) && <ChannelDraftTest id={id} draft={draft} />}
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
      {addressQuestion}
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
  t: Translate,
  label: (name: (typeof jsonFieldNames)[number]) => string,
): RefusedFormField[] {
  const broken = findBrokenJsonField(draft)
  const seen: [boolean, RefusedFormField][] = [
    [draft.name.trim() === '', { field: 'name', message: t('Please fill in channel name and key!') }],
    [needsKey && draft.key.trim() === '', { field: 'key', message: t('Please fill in channel name and key!') }],
    [draft.models.length === 0, { field: 'models', message: t('Please select at least one model!') }],
    [!isJsonField(draft.model_mapping), { field: 'model_mapping', message: t('model_mapping must be valid JSON') }],
  ]
  const wrong = seen.filter(([isWrong]) => isWrong).map(([, refusal]) => refusal)
  return broken
    ? [...wrong, { field: broken, message: t('{field}: Not a valid JSON string', { field: label(broken) }) }]
    : wrong
}
