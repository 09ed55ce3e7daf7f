// A turning sign beside words, while something takes its time.
import { Spinner } from '@inkjs/ui'
import { oneLine } from '../../core/logs/visible.ts'

/** Draws the sign. */
export const Working = ({ label }: { label: string }) => <Spinner label={oneLine(label)} />
