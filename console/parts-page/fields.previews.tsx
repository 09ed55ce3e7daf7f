// Previews of fields and buttons.
import { useState } from 'react'
import { useAddressQuestion } from '../parts/form/address-question.tsx'
import { ByModelField, type ByModel } from '../parts/form/by-model-field.tsx'
import { SegmentedChoice } from '../parts/form/choice.tsx'
import { MultipleCombobox, SingleCombobox } from '../parts/form/combobox.tsx'
import { CountdownButton } from '../parts/form/countdown-button.tsx'
import { DateTimeField } from '../parts/form/date-time.tsx'
import { DeclaredField } from '../parts/form/declared-fields.tsx'
import { FormField } from '../parts/form/field.tsx'
import { HumanCheck } from '../parts/form/human-check.tsx'
import { JsonField } from '../parts/form/json-field.tsx'
import { MoneyField } from '../parts/form/money-field.tsx'
import { RadioRow } from '../parts/form/radio-row.tsx'
import { RowsField } from '../parts/form/rows-field.tsx'
import { initialTokenDraft, tokenForm } from '../screens/tokens/form.built.ts'
import { Button, Input } from '../semi.ts'
import { definePreviews, LONG_TEXT, doNothing, LONG_WORD, type PreviewModule } from './states.ts'

function AsksAboutAddress() {
  const [ask, question] = useAddressQuestion()
  return (
    <>
      <Button onClick={() => void ask('https://example.com/v1')}>Save</Button>
      {question}
    </>
  )
}

const addressQuestionPreviews = definePreviews({ 'opened by a button': AsksAboutAddress })

function Typed({ picks, disabled }: { picks?: number[]; disabled?: boolean }) {
  const [value, setValue] = useState(500_000)
  return (
    <MoneyField
      field="quota"
      label="Quota"
      min={0}
      value={value}
      onChange={setValue}
      picks={picks}
      disabled={disabled}
    />
  )
}

const moneyFieldPreviews = definePreviews({
  plain: () => <Typed />,
  'with quick picks': () => <Typed picks={[100_000, 500_000, 5_000_000]} />,
  disabled: () => <Typed picks={[500_000]} disabled />,
})

function StartedByModelField({ begins }: { begins: ByModel }) {
  const [value, setValue] = useState(begins)
  return <ByModelField label="Wait" unit="seconds" unset="as the site says" value={value} onChange={setValue} />
}

const byModelFieldPreviews = definePreviews({
  'nothing said': () => <StartedByModelField begins={undefined} />,
  'one for all': () => <StartedByModelField begins={30} />,
  'by model': () => <StartedByModelField begins={{ 'gpt-4.1': 20, '*': 60 }} />,
})

const options = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
  { value: 'c', label: LONG_TEXT },
]

function Chosen({ initial = 'a', ...more }: { initial?: string; labelled?: boolean; disabled?: boolean }) {
  const [value, setValue] = useState(initial)
  return <SegmentedChoice label="Which" value={value} options={options} onChange={setValue} {...more} />
}

const choicePreviews = definePreviews({
  'one of three': () => <Chosen />,
  'with its label': () => <Chosen labelled />,
  'long text': () => <Chosen initial="c" />,
  disabled: () => <Chosen disabled />,
  'nothing to choose': () => <SegmentedChoice label="Which" value="" options={[]} onChange={doNothing} />,
})

const comboboxOptions = [
  { value: 'gpt-4o', hint: 'answers quickly' },
  { value: 'sandbox-small', label: 'Sandbox (small)', note: <small>free</small> },
  { value: LONG_WORD, label: LONG_TEXT },
]
const many = Array.from({ length: 500 }, (_, index) => ({ value: `model-${index + 1}` }))

function One({ initial = '', ...more }: { initial?: string; free?: boolean; disabled?: boolean; of?: typeof many }) {
  const [value, setValue] = useState(initial)
  const { of = comboboxOptions, ...rest } = more
  return (
    <SingleCombobox
      label="Model"
      value={value}
      options={of}
      onChange={setValue}
      placeholder="Any model"
      clearable
      {...rest}
    />
  )
}

function Several({ initial = [] as string[], ...more }: { initial?: string[]; free?: boolean; disabled?: boolean }) {
  const [value, setValue] = useState(initial)
  return (
    <MultipleCombobox
      label="Models"
      value={value}
      options={many}
      onChange={setValue}
      placeholder="All models"
      {...more}
    />
  )
}

const comboboxPreviews = definePreviews({
  'one, none chosen': () => <One />,
  'one, chosen': () => <One initial="sandbox-small" />,
  'one, long text': () => <One initial={LONG_WORD} />,
  'one, anything may be typed': () => <One free />,
  'one of five hundred': () => <One of={many} />,
  'one of none': () => <One of={[]} />,
  'one, disabled': () => <One initial="gpt-4o" disabled />,
  'several, none chosen': () => <Several />,
  'several, chosen': () => <Several initial={['model-1', 'model-2', LONG_WORD]} free />,
  'several, disabled': () => <Several initial={['model-1']} disabled />,
})

const resting = (left: number) => `Again in ${left} s`

const countdownButtonPreviews = definePreviews({
  'to be pressed': () => (
    <CountdownButton resting={resting} run={() => Promise.resolve()}>
      Send code
    </CountdownButton>
  ),
  disabled: () => (
    <CountdownButton disabled resting={resting} run={() => Promise.resolve()}>
      Send code
    </CountdownButton>
  ),
})

function StartedDateTimeField({ initial }: { initial: number | null }) {
  const [value, setValue] = useState(initial)
  return <DateTimeField label="From" value={value} onChange={setValue} />
}

const dateTimePreviews = definePreviews({
  none: () => <StartedDateTimeField initial={null} />,
  'a time': () => <StartedDateTimeField initial={1_790_000_000} />,
  'not a time': () => <StartedDateTimeField initial={Number.NaN} />,
})

function StartedDeclaredField({
  name,
  ...more
}: {
  name: keyof typeof initialTokenDraft & string
  error?: string
  required?: boolean
}) {
  const [draft, setDraft] = useState(initialTokenDraft)
  return (
    <DeclaredField
      form={tokenForm}
      name={name}
      draft={draft}
      set={(change) => setDraft({ ...draft, ...change })}
      {...more}
    />
  )
}

const declaredFieldsPreviews = definePreviews({
  'a text': () => <StartedDeclaredField name="name" required />,
  'a text that is wrong': () => <StartedDeclaredField name="name" required error="Enter a name." />,
  'an amount of quota': () => <StartedDeclaredField name="budget_day" />,
  'a number': () => <StartedDeclaredField name="requests_per_minute" />,
  'several lines': () => <StartedDeclaredField name="allow_ips" />,
  'a switch': () => <StartedDeclaredField name="unlimited_quota" />,
})

const input = <Input aria-label="Name" />

const fieldPreviews = definePreviews({
  plain: () => <FormField label="Name">{input}</FormField>,
  'with a hint': () => (
    <FormField label="Name" hint="At most 30 characters">
      {input}
    </FormField>
  ),
  'that must be filled in': () => (
    <FormField label="Name" required>
      {input}
    </FormField>
  ),
  'that is wrong': () => (
    <FormField label="Name" required error="Enter a name.">
      {input}
    </FormField>
  ),
  disabled: () => (
    <FormField label="Name">
      <Input aria-label="Name" disabled value="laptop" />
    </FormField>
  ),
  'long text': () => (
    <FormField label={LONG_TEXT} hint={LONG_TEXT}>
      {input}
    </FormField>
  ),
})

const check = { box: doNothing, again: doNothing, withToken: () => Promise.resolve(null) }

const humanCheckPreviews = definePreviews({
  'could not be loaded': () => <HumanCheck check={{ ...check, off: false, failed: true }} />,
  'not wanted: empty': () => <HumanCheck check={{ ...check, off: true, failed: false }} />,
})

function StartedJsonField({ initial, template }: { initial: string; template?: unknown }) {
  const [value, setValue] = useState(initial)
  return <JsonField label="Mapping" help="Leave it and see" value={value} onChange={setValue} template={template} />
}

const jsonFieldPreviews = definePreviews({
  empty: () => <StartedJsonField initial="" template={{ 'gpt-4o': 'gpt-4o-mini' }} />,
  filled: () => <StartedJsonField initial={'{"a": 1}'} />,
  'wrong, once it is left': () => <StartedJsonField initial={'{"a": '} />,
})

function RadioRowChosen({ values }: { values: string[] }) {
  const [value, setValue] = useState(values[0]!)
  const options = values.map((each) => ({ value: each, label: each }))
  return <RadioRow label="Which" value={value} options={options} onChange={setValue} />
}

const radioRowPreviews = definePreviews({
  'one of two': () => <RadioRowChosen values={['day', 'week']} />,
  'many, with a long one': () => <RadioRowChosen values={['one', 'two', 'three', 'four', 'five', LONG_WORD]} />,
})

function StartedRowsField({ begins }: { begins: Record<string, string> }) {
  const [value, setValue] = useState(begins)
  return (
    <RowsField
      label="Headers"
      heads={['Name', 'Value']}
      blank=""
      value={value}
      onChange={setValue}
      renderValue={({ label, value, onChange }) => <Input aria-label={label} value={value} onChange={onChange} />}
    />
  )
}

const rowsFieldPreviews = definePreviews({
  empty: () => <StartedRowsField begins={{}} />,
  rows: () => (
    <StartedRowsField
      begins={{ 'X-Team': 'research', 'X-Purpose': 'a long text that does not fit into the room of its column' }}
    />
  ),
})

export const previews = {
  'form/address-question': addressQuestionPreviews,
  'form/money-field': moneyFieldPreviews,
  'form/by-model-field': byModelFieldPreviews,
  'form/choice': choicePreviews,
  'form/combobox': comboboxPreviews,
  'form/countdown-button': countdownButtonPreviews,
  'form/date-time': dateTimePreviews,
  'form/declared-fields': declaredFieldsPreviews,
  'form/field': fieldPreviews,
  'form/human-check': humanCheckPreviews,
  'form/json-field': jsonFieldPreviews,
  'form/radio-row': radioRowPreviews,
  'form/rows-field': rowsFieldPreviews,
} satisfies PreviewModule['previews']
