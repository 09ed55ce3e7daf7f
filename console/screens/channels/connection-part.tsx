// The channel panel's first part: what kind of channel, where it is, and its key.
import { useState } from 'react'
import { ChannelForm } from '../../../core/channels/channel.ts'
import { KeyedChannelForm } from '../../../core/channels/contract.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { DeclaredField, DeclaredFields, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Button, Input, Modal, Tag, TextArea } from '../../semi.ts'
import type { PartProps } from './part.ts'
import { endsInV1, withoutV1 } from './form.ts'
import { isSandbox, SandboxBanner, sandboxName } from './sandbox.tsx'
import { words } from './texts.ts'

export function ConnectionPart(part: PartProps) {
  const t = useTexts(words)
  const { label } = useFields(ChannelForm)('type')
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
      <Field label={label} required>
        <Choice
          label={label}
          filter
          value={draft.type}
          onChange={(number) => choose(Number(number))}
          optionList={types.filter(isOffered).map((declared) => ({
            value: declared.type,
            label: isSandbox(declared) ? sandboxName(declared, t.sandbox) : declared.name,
          }))}
        />
      </Field>
      {type && isSandbox(type) && <SandboxBanner />}
      <DeclaredField form={ChannelForm} name="name" draft={draft} set={set} required />
      <KeyField {...part} />
      <DeclaredFields form={ChannelForm} group="keys" draft={draft} set={set} />
      <BaseUrlField {...part} />
      {type?.fields.other && (
        <DeclaredField form={ChannelForm} name="other" draft={draft} set={set} {...type.fields.other} />
      )}
      {type?.fields.openai_organization && (
        <DeclaredField
          form={ChannelForm}
          name="openai_organization"
          draft={draft}
          set={set}
          placeholder={type.fields.openai_organization.placeholder}
        />
      )}
    </section>
  )
}

function KeyField({ draft, set, type, isNew }: PartProps) {
  const t = useTexts(words)
  const declared = useFields(KeyedChannelForm)('key')
  const label = type?.fields.key?.label || declared.label
  const needed = type?.needs_key ?? true
  const env = type?.env ? ` ${fill(t.keyEnv, { name: type.env })}` : ''
  const hint = !needed ? t.keyFree : isNew ? t.keyHint + env : t.keyKeep
  return (
    <Field label={label} required={isNew && needed} hint={hint}>
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

/** An address that ends in /v1 is asked about once it is left. */
function BaseUrlField({ draft, set, type }: PartProps) {
  const t = useTexts(words)
  const [asking, setAsking] = useState(false)
  const declared = useFields(ChannelForm)('base_url')
  const hint = type?.fields.base_url
  const label = hint?.label || declared.label
  const fallback = type?.base_url ?? ''
  return (
    <Field label={label} required={hint?.required} hint={declared.help}>
      <Input
        aria-label={label}
        placeholder={hint?.placeholder || (fallback ? fill(t.baseUrlDefault, { url: fallback }) : 'https://')}
        value={draft.base_url}
        onChange={(base_url) => set({ base_url })}
        onBlur={() => setAsking(endsInV1(draft.base_url))}
      />
      <Modal
        title={t.v1Title}
        visible={asking}
        onCancel={() => setAsking(false)}
        footer={
          <div className="panel-foot">
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
          </div>
        }
      >
        {fill(t.v1Body, { url: '' })} <Tag>{draft.base_url}</Tag>
      </Modal>
    </Field>
  )
}
