// The props of every editor of a setting.

export interface EditorProps {
  label: string
  /** The text as it is stored or would be stored. */
  value: string
  disabled: boolean
  onChange(value: string): void
}
