// What every editor of a setting is given.

export interface EditorProps {
  label: string
  /** The text as it is stored, or would be. */
  value: string
  disabled: boolean
  onChange(value: string): void
}
