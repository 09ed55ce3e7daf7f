// The channel panel's second part: the models it serves, and under which names.
import { useState } from 'react'
import { ChannelForm, namesIn } from '../../../core/channels/channel.ts'
import { notify } from '../../data/notify.ts'
import { useTexts } from '../../data/texts.tsx'
import { DeclaredFields, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Button, Input } from '../../semi.ts'
import type { PartProps } from './part.ts'
import { words } from './texts.ts'

export function ModelsPart({ draft, set, type, types }: PartProps) {
  const t = useTexts(words)
  const field = useFields(ChannelForm)
  const known = [...new Set([...(type?.models ?? []), ...types.flatMap(({ models }) => models), ...draft.models])]
  const join = (models: string[]) => set({ models: [...new Set([...draft.models, ...models])] })
  return (
    <section className="panel-part">
      <h2>{t.modelsPart}</h2>
      <Field label={field('models').label} required>
        <Choice
          label={field('models').label}
          placeholder={t.modelsHint}
          multiple
          filter
          showClear
          value={draft.models}
          optionList={known.map((model) => ({ value: model, label: model }))}
          onChange={(models) => set({ models: models as string[] })}
        />
        <div className="field-row">
          <Button size="small" disabled={!type?.models.length} onClick={() => join(type?.models ?? [])}>
            {t.fillRelated}
          </Button>
          <Button size="small" type="tertiary" onClick={() => join(known)}>
            {t.fillAll}
          </Button>
          <Button size="small" type="warning" onClick={() => set({ models: [] })}>
            {t.clearModels}
          </Button>
        </div>
      </Field>
      <CustomModel models={draft.models} add={join} />
      <DeclaredFields form={ChannelForm} group="mapping" draft={draft} set={set} />
      <Field label={field('test_model').label}>
        <Choice
          label={field('test_model').label}
          placeholder={t.testModelHint}
          filter
          showClear
          allowCreate
          value={draft.test_model || undefined}
          optionList={draft.models.map((model) => ({ value: model, label: model }))}
          onChange={(model) => set({ test_model: typeof model === 'string' ? model : '' })}
        />
      </Field>
    </section>
  )
}

/** Names that are in no list; several at once, separated by commas. */
function CustomModel({ models, add }: { models: string[]; add(models: string[]): void }) {
  const t = useTexts(words)
  const [text, setText] = useState('')
  const submit = () => {
    const names = namesIn(text)
    if (names.length === 0) return
    if (names.some((name) => models.includes(name))) return notify.error(t.modelsExist)
    add(names)
    setText('')
  }
  return (
    <div className="custom-model">
      <Input
        aria-label={t.customModel}
        placeholder={t.customHint}
        value={text}
        onChange={setText}
        onEnterPress={submit}
      />
      <Button onClick={submit}>{t.addModel}</Button>
    </div>
  )
}
