// The first part of the channel panel: type, address and key.
import { useState } from 'react'
import type { ChannelType } from '../../../core/channels/contract.ts'
import { fillPhrase, useLanguage, useTexts } from '../../data/texts.tsx'
import { DeclaredField, DeclaredFields, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { PickOne } from '../../parts/combobox.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Tag } from '../../parts/tags.tsx'
import { Button, Input, TextArea } from '../../semi.ts'
import type { PartProps } from './part.ts'
import { endsInV1, withoutV1 } from './form.ts'
import { isSandbox, SandboxBanner, sandboxName } from './sandbox.tsx'
import { form } from './form.built.ts'
import { words } from './texts.ts'

export function ConnectionPart(part: PartProps) {
  const t = useTexts(words)
  const { label } = useFields(form)('type')
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
      <h2>{t.connection}</h2>
      <Field field="type" label={label} required>
        <PickOne
          label={label}
          value={String(draft.type)}
          onChange={(number) => choose(Number(number))}
          options={types.filter(isOffered).map((declared) => ({
            value: String(declared.type),
            label: isSandbox(declared) ? sandboxName(declared, t.sandbox) : declared.name,
          }))}
        />
      </Field>
      {type && isSandbox(type) && <SandboxBanner />}
      <DeclaredField form={form} name="name" draft={draft} set={set} required />
      <KeyField {...part} />
      <DeclaredFields form={form} group="keys" draft={draft} set={set} />
      <BaseUrlField {...part} />
      {(type?.fields.other || draft.other !== '') && (
        <DeclaredField form={form} name="other" draft={draft} set={set} {...getHint(type?.fields.other)} />
      )}
      {type?.fields.openai_organization && (
        <DeclaredField
          form={form}
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
  const t = useTexts(words)
  const getHint = useHints()
  const declared = useFields(form)('key')
  const label = getHint(type?.fields.key).label ?? declared.label
  const needed = type?.needs_key ?? true
  const env = type?.env ? ` ${fillPhrase(t.keyEnv, { name: type.env })}` : ''
  const hint = !needed ? t.keyFree : isNew ? t.keyHint + env : t.keyKeep
  return (
    <Field field="key" label={label} required={isNew && needed} hint={hint}>
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
    </Field>
  )
}

/** When the field is left with an address that ends in /v1, asks whether to shorten it. */
function BaseUrlField({ draft, set, type }: PartProps) {
  const t = useTexts(words)
  const [asking, setAsking] = useState(false)
  const getHint = useHints()
  const declared = useFields(form)('base_url')
  const hint = getHint(type?.fields.base_url)
  const label = hint.label ?? declared.label
  const fallback = type?.base_url ?? ''
  return (
    <Field field="base_url" label={label} required={hint.required} hint={hint.hint ?? declared.help}>
      <Input
        aria-label={label}
        placeholder={hint.placeholder || (fallback ? fillPhrase(t.baseUrlDefault, { url: fallback }) : 'https://')}
        value={draft.base_url}
        onChange={(base_url) => set({ base_url })}
        onBlur={() => setAsking(endsInV1(draft.base_url))}
      />
      {asking && (
        <Dialog
          title={t.v1Title}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button type="tertiary" onClick={() => setAsking(false)}>
                {t.v1Keep}
              </Button>
              <Button
                theme="solid"
                onClick={() => {
                  set({ base_url: withoutV1(draft.base_url) })
                  setAsking(false)
                }}
              >
                {t.v1Remove}
              </Button>
            </>
          }
        >
          {fillPhrase(t.v1Body, { url: '' })} <Tag color="white">{draft.base_url}</Tag>
        </Dialog>
      )}
    </Field>
  )
}
