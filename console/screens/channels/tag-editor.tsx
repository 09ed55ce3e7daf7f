// The panel that edits all channels of a tag at once.
import { useState } from 'react'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { MultipleCombobox } from '../../parts/form/combobox.tsx'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { DeclaredField, DeclaredFields, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { JsonField } from '../../parts/form/json-field.tsx'
import { isJsonField } from '../../parts/form/json-text.ts'
import { InlineNote } from '../../parts/status/note.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { Button, Input } from '../../semi.ts'
import { channelForm } from './form.built.ts'
import { SettingPart } from './setting-part.tsx'
import { restoreChannelFields, type TagField } from './use-tag-actions.ts'

const FIELD_TEXTS = texts({ add_models: 'Models to add', remove_models: 'Models to remove' })

interface Props {
  tag: string
  types: ChannelType[]
  groups: string[]
  onClose(): void
  onSaved(): void
}

const EMPTY = '{}'

/** Parses a whole number of at least `min`: null for an empty text, undefined for anything else. */
function wholeOr(text: string, min: number): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text)
  return Number.isInteger(value) && value >= min ? value : undefined
}

export function TagEditor({ tag, types, groups, onClose, onSaved }: Props) {
  const t = useText()
  const field = useFieldTexts(channelForm)
  const [draft, setDraft] = useState({
    new_tag: tag,
    models: [] as string[],
    add_models: [] as string[],
    remove_models: [] as string[],
    groups: [] as string[],
    model_mapping: '',
    priority: '',
    weight: '',
    max_input_tokens: '',
    auto_ban: '',
    test_model: '',
    openai_organization: '',
    status_code_mapping: '',
    param_override: '',
    setting: '',
  })
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const [save, busy] = useAction(async () => {
    const { new_tag, models, add_models, remove_models, model_mapping, test_model, auto_ban } = draft
    const { status_code_mapping, param_override, setting, openai_organization } = draft
    const priority = wholeOr(draft.priority, -999)
    const weight = wholeOr(draft.weight, 0)
    if (!isJsonField(model_mapping))
      return showFieldErrors([{ field: 'model_mapping', message: t('model_mapping must be valid JSON') }], 'info')
    if (priority === undefined)
      return showFieldErrors([{ field: 'priority', message: t('priority must be an integer') }], 'info')
    if (weight === undefined)
      return showFieldErrors([{ field: 'weight', message: t('weight must be a non-negative integer') }], 'info')
    const max_input_tokens = wholeOr(draft.max_input_tokens, 0)
    if (max_input_tokens === undefined)
      return showFieldErrors(
        [{ field: 'max_input_tokens', message: t('weight must be a non-negative integer') }],
        'info',
      )
    const change = {
      models: models.join(','),
      add_models: add_models.join(','),
      remove_models: remove_models.join(','),
      groups: draft.groups.join(','),
      model_mapping,
      status_code_mapping,
      param_override,
      setting,
      priority,
      weight,
      max_input_tokens,
      openai_organization,
      test_model: test_model.trim() || null,
      auto_ban: auto_ban === '' ? null : Number(auto_ban),
    }
    const renamed = new_tag.trim() === tag ? null : new_tag.trim()
    if (renamed === null && Object.values(change).every((value) => value === '' || value === null))
      return showNotice.warning(t('No changes!'))
    const before = await apiClient.channels.search({ tag })
    const given = Object.entries(change).filter(([, value]) => value !== '' && value !== null)
    const changed = [...new Set(given.map(([name]) => STORED_FIELDS[name] ?? (name as TagField)))]
    await runWithUndo({
      message: t('tag updated'),
      isSentence: true,
      act: () => apiClient.channels.updateTag({ tag, new_tag: renamed, ...change }),
      async back() {
        await restoreChannelFields(before, renamed === null ? changed : [...changed, 'tag'])
        onSaved()
      },
    })
    onSaved()
    onClose()
  })
  const known = [...new Set([...types.flatMap(({ models }) => models), ...draft.models])]
  const mapping = field('model_mapping')
  return (
    <SidePanel
      title={t('Edit tag {name}', { name: tag })}
      side="right"
      busy={busy}
      submit={t('Save')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <InlineNote warns>{t('edits overwrite; empty fields stay unchanged')}</InlineNote>
      <FormField field="new_tag" label={t('Tag name')} hint={t('Empty: the channels have no tag any more')}>
        <Input
          aria-label={t('Tag name')}
          value={draft.new_tag}
          maxLength={100}
          onChange={(new_tag) => set({ new_tag })}
        />
      </FormField>
      <FormField field="models" label={field('models').label}>
        <MultipleCombobox
          label={field('models').label}
          placeholder={t('Empty: unchanged')}
          free
          value={draft.models}
          options={known.map((value) => ({ value }))}
          onChange={(models) => set({ models })}
        />
      </FormField>
      {(['add_models', 'remove_models'] as const).map((name) => (
        <FormField key={name} field={name} label={t(FIELD_TEXTS[name])}>
          <MultipleCombobox
            label={t(FIELD_TEXTS[name])}
            free
            value={draft[name]}
            options={known.map((value) => ({ value }))}
            onChange={(chosen) => set({ [name]: chosen })}
          />
        </FormField>
      ))}
      <FormField field="groups" label={field('group').label}>
        <MultipleCombobox
          label={field('group').label}
          placeholder={t('Empty: unchanged')}
          value={draft.groups}
          options={groups.map((value) => ({ value }))}
          onChange={(chosen) => set({ groups: chosen })}
        />
      </FormField>
      <FormField field="model_mapping" label={mapping.label}>
        <JsonField
          label={mapping.label}
          help={t('Empty: unchanged')}
          template={MAPPING}
          value={draft.model_mapping}
          onChange={(model_mapping) => set({ model_mapping })}
        />
        <div className="field-row">
          <Button size="small" type="tertiary" onClick={() => set({ model_mapping: EMPTY })}>
            {t('Clear mapping')}
          </Button>
          <Button size="small" type="tertiary" onClick={() => set({ model_mapping: '' })}>
            {t('No change')}
          </Button>
        </div>
      </FormField>
      <div className="field-columns">
        {(['priority', 'weight', 'max_input_tokens'] as const).map((name) => (
          <FormField key={name} field={name} label={field(name).label}>
            <Input
              aria-label={field(name).label}
              inputMode="numeric"
              placeholder={t('Empty: unchanged')}
              value={draft[name]}
              onChange={(text) => set({ [name]: text })}
            />
          </FormField>
        ))}
        <FormField field="auto_ban" label={field('auto_ban').label}>
          <SegmentedChoice
            label={field('auto_ban').label}
            options={[
              { value: '', label: t('Empty: unchanged') },
              { value: '1', label: t('On') },
              { value: '0', label: t('Off') },
            ]}
            value={draft.auto_ban}
            onChange={(chosen) => set({ auto_ban: chosen })}
          />
        </FormField>
      </div>
      {(['test_model', 'openai_organization'] as const).map((name) => (
        <DeclaredField
          key={name}
          form={channelForm}
          name={name}
          draft={draft}
          set={set}
          placeholder={t('Empty: unchanged')}
        />
      ))}
      <DeclaredFields form={channelForm} group="advanced" draft={draft} set={set} />
      <SettingPart text={draft.setting} set={(setting) => set({ setting })} />
    </SidePanel>
  )
}

/** The field of a channel that a field of the form changes, if it has another name. */
const STORED_FIELDS: Readonly<Record<string, TagField>> = {
  groups: 'group',
  add_models: 'models',
  remove_models: 'models',
}

const MAPPING = { 'gpt-3.5-turbo': 'gpt-4o-mini' }
