// The options of a conversation: models and parameters.
import { IconClose, IconPlus } from '@douyinfe/semi-icons'
import { useEffect, useMemo, useRef } from 'react'
import { isChatModelName } from '../../../core/models/model-kind.ts'
import { DEFAULT_GUIDE_MODEL } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { ModelMark } from '../../parts/text/brand-mark.tsx'
import { RatioTag } from '../../parts/text/tags.tsx'
import { Button, InputNumber, TextArea } from '../../semi.ts'
import { MAX_COMPARED_MODELS, type PlaygroundOptions, type SetPlaygroundOptions } from './conversation.ts'

interface Props {
  options: PlaygroundOptions
  setOptions: SetPlaygroundOptions
  /** The model that the address requests. */
  requestedModel: string
}

export function PlaygroundOptionsPanel({ options, setOptions, requestedModel }: Props) {
  const t = useText()
  const { models, temperature, max_tokens, system } = options
  const known = useModels()
  const groups = useGroups()
  const setModel = (lane: number, model: string) =>
    setOptions((old) => ({ ...old, models: Object.assign([...old.models], { [lane]: model }) }))
  const first =
    known &&
    (known.includes(requestedModel)
      ? requestedModel
      : known.includes(DEFAULT_GUIDE_MODEL)
        ? DEFAULT_GUIDE_MODEL
        : known[0])
  useEffect(() => {
    if (first && models.includes('')) setOptions((old) => fillModels(old, [first, ...known]))
    if (groups && !hasGroup(options, groups))
      setOptions((old) => (hasGroup(old, groups) ? old : { ...old, group: groups[0]!.value }))
  })
  const another = () =>
    setOptions((old) => {
      const unused = known?.find((name) => !old.models.includes(name))
      return { ...old, models: [...old.models, unused ?? ''] }
    })
  const lanes = useRef<HTMLDivElement>(null)
  const comparing = useRef(false)
  usePaletteAct('compare', () => {
    if (models.length === 1) another()
    comparing.current = true
  })
  // Focuses the field of the added model once it has a value, so that the user can choose another one.
  useEffect(() => {
    if (!comparing.current || models.length === 1 || models.includes('')) return
    comparing.current = false
    lanes.current?.querySelector<HTMLElement>('.field:last-of-type input')?.focus()
  })
  return (
    <>
      <FormField label={t('Group')}>
        <SingleCombobox
          label={t('Group')}
          placeholder={t('select a group')}
          value={options.group}
          onChange={(group) => setOptions((old) => ({ ...old, group }))}
          options={groups ?? []}
        />
      </FormField>
      {known?.length === 0 && (
        <InlineNote warns>{t('No model can be called: a channel has to serve one in one of your groups.')}</InlineNote>
      )}
      <div ref={lanes}>
        {models.map((model, lane) => (
          <FormField key={lane} label={models.length > 1 ? t('Model {n}', { n: lane + 1 }) : t('Model')}>
            <div className="playground-model">
              <SingleCombobox
                label={models.length > 1 ? t('Model {n}', { n: lane + 1 }) : t('Model')}
                placeholder={t('select a model')}
                value={model}
                onChange={(name) => setModel(lane, name)}
                options={(known ?? []).map((value) => ({ value, mark: <ModelMark model={value} /> }))}
              />
              {models.length > 1 && (
                <Button
                  theme="borderless"
                  type="tertiary"
                  icon={<IconClose aria-hidden />}
                  aria-label={t('Remove model {n}', { n: lane + 1 })}
                  onClick={() =>
                    setOptions((old) => ({ ...old, models: old.models.filter((_, other) => other !== lane) }))
                  }
                />
              )}
            </div>
          </FormField>
        ))}
      </div>
      {models.length < MAX_COMPARED_MODELS && (
        <Button className="playground-compare" theme="light" icon={<IconPlus aria-hidden />} onClick={another}>
          {t('Add another model')}
        </Button>
      )}
      <FormField label={t('Temperature')} hint={t('Low for precise answers, high for varied ones')}>
        <div className="playground-slider">
          <input
            type="range"
            aria-label={t('Temperature')}
            aria-valuetext={String(temperature)}
            min={0.1}
            max={1}
            step={0.1}
            value={Math.max(0.1, temperature)}
            onChange={({ target }) => setOptions((old) => ({ ...old, temperature: Number(target.value) }))}
          />
          <output className="number">{temperature}</output>
        </div>
      </FormField>
      <FormField label={t('Max tokens')} hint={t('0: the model decides')}>
        <InputNumber
          aria-label={t('Max tokens')}
          min={0}
          precision={0}
          value={max_tokens}
          onNumberChange={(tokens) => setOptions((old) => ({ ...old, max_tokens: Math.trunc(tokens) || 0 }))}
        />
      </FormField>
      <FormField label={t('System prompt')} hint={t('Empty: none is sent')}>
        <TextArea
          aria-label={t('System prompt')}
          autosize={{ minRows: 3, maxRows: 10 }}
          value={system}
          onChange={(text) => setOptions((old) => ({ ...old, system: text }))}
        />
      </FormField>
    </>
  )
}

/** Fills empty lanes with the first unused model, or with the first of all. */
function fillModels(options: PlaygroundOptions, known: readonly string[]): PlaygroundOptions {
  if (!options.models.includes('')) return options
  const models = [...options.models]
  for (const [lane, model] of options.models.entries())
    if (model === '') models[lane] = known.find((name) => !models.includes(name)) ?? known[0]!
  return { ...options, models }
}

const hasGroup = ({ group }: PlaygroundOptions, groups: readonly { value: string }[]) =>
  groups.some(({ value }) => value === group)

/** Returns the models, those that chat first. */
export function useModels(): string[] | undefined {
  const { data } = useEndpoint(['users.models'], () => apiClient.users.models())
  return useMemo(() => data && [...data].sort((a, b) => chats(b) - chats(a)), [data])
}

const chats = (model: string) => Number(isChatModelName(model))

/** Returns the user's own group first; only that one if there is no choice. */
function useGroups() {
  const t = useText()
  const own = useSignedInUser().user?.group ?? ''
  const { data } = useEndpoint(['groups.usable'], () => apiClient.groups.usable())
  if (!data) return undefined
  const groups = Object.entries(data).sort(([a], [b]) => Number(b === own) - Number(a === own))
  if (groups.length === 0) return [{ value: '', label: t('User group'), note: <RatioTag ratio={1} /> }]
  return groups.map(([value, { desc, ratio }]) => ({ value, hint: desc, note: <RatioTag ratio={ratio} /> }))
}
