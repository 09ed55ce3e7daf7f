// The group of a user, chosen from those of the site.
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { userEditForm } from './form.built.ts'

interface GroupProps {
  value: string
  groups: readonly string[]
  onChange(group: string): void
}

export function GroupField({ value, groups, onChange }: GroupProps) {
  const { label, help } = useFieldTexts(userEditForm)('group')
  // A user may have a group that does not exist any more.
  const options = [...new Set([...groups, value])].filter((name) => name !== '')
  return (
    <FormField field="group" label={label} hint={help}>
      <SingleCombobox
        label={label}
        value={value}
        options={options.map((name) => ({ value: name }))}
        onChange={onChange}
      />
    </FormField>
  )
}
