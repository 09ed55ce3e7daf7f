// The second part of the channel panel: the served models and their mapping.
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { loadLater } from '../../parts/load-later.ts'
import { parseNameList } from '../../../core/channels/channel.ts'
import { quietClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useText } from '../../data/texts.tsx'
import { DeclaredFields, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { MultipleCombobox, SingleCombobox } from '../../parts/form/combobox.tsx'
import { Button, Input } from '../../semi.ts'
import type { PartProps } from './form.ts'
import { channelForm } from './form.built.ts'
const ModelDiff = loadLater(async () => (await import('./model-diff.tsx')).ModelDiff)

export function ModelsPart({ id, draft, set, type, types }: PartProps) {
  const t = useText()
  const field = useFieldTexts(channelForm)
  const [fetching, setFetching] = useState(false)
  const { base_url, key } = draft
  // Without an entered key the stored one is used, which only the server has.
  const usesStoredKey = id !== null && key.trim() === ''
  const fetchModels = () => {
    if (!usesStoredKey && key.trim() === '' && type?.needs_key !== false)
      return showNotice.error(t('Please fill in the key'))
    setFetching(true)
  }
  const known = [...new Set([...(type?.models ?? []), ...types.flatMap(({ models }) => models), ...draft.models])]
  const join = (models: string[]) => set({ models: [...new Set([...draft.models, ...models])] })
  return (
    <section className="panel-part">
      <h2>{t('Models')}</h2>
      <FormField field="models" label={field('models').label} required>
        <MultipleCombobox
          label={field('models').label}
          placeholder={t('Choose the models this channel serves')}
          value={draft.models}
          options={known.map((value) => ({ value }))}
          onChange={(models) => set({ models })}
        />
        <div className="field-row">
          <Button size="small" disabled={!type?.models.length} onClick={() => join(type?.models ?? [])}>
            {t('Fill related models')}
          </Button>
          <Button size="small" type="tertiary" onClick={() => join(known)}>
            {t('Fill all models')}
          </Button>
          <Button size="small" type="tertiary" onClick={fetchModels}>
            {t('Fetch model list')}
          </Button>
          <Button size="small" type="warning" onClick={() => set({ models: [] })}>
            {t('Clear all models')}
          </Button>
        </div>
      </FormField>
      {fetching &&
        createPortal(
          // A separate form, which must not be nested in this one.
          <ModelDiff
            name={draft.name || (type?.name ?? '')}
            current={draft.models}
            mapping={draft.model_mapping}
            of={usesStoredKey ? [id] : [draft.type, base_url, key]}
            load={() =>
              usesStoredKey
                ? quietClient.channels.fetchModels({ id })
                : quietClient.channels.fetchModelsNew({ type: draft.type, base_url, key })
            }
            onApply={(models) => set({ models })}
            onClose={() => setFetching(false)}
          />,
          document.body,
        )}
      <CustomModel models={draft.models} add={join} />
      <DeclaredFields form={channelForm} group="mapping" draft={draft} set={set} />
      <FormField field="test_model" label={field('test_model').label}>
        <SingleCombobox
          label={field('test_model').label}
          placeholder={t('Empty: the first model')}
          clearable
          free
          value={draft.test_model}
          options={draft.models.map((value) => ({ value }))}
          onChange={(test_model) => set({ test_model })}
        />
      </FormField>
    </section>
  )
}

/** Adds models that are in no list; several names are separated by commas. */
function CustomModel({ models, add }: { models: string[]; add(models: string[]): void }) {
  const t = useText()
  const [text, setText] = useState('')
  const submit = () => {
    const names = parseNameList(text)
    if (names.length === 0) return
    if (names.some((name) => models.includes(name))) return showNotice.error(t('Some models already exist!'))
    add(names)
    setText('')
  }
  return (
    <div className="custom-model">
      <Input
        aria-label={t('Custom model name')}
        placeholder={t('Custom names, separated by commas')}
        value={text}
        onChange={setText}
        onEnterPress={(event) => {
          event.preventDefault()
          submit()
        }}
      />
      <Button onClick={submit}>{t('Add', { context: 'model' })}</Button>
    </div>
  )
}
