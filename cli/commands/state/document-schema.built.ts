// The JSON schema of configuration files. The bundle holds it as data.
import { buildDocumentSchema } from '../../../core/state/document.ts'

export const documentSchema = buildDocumentSchema()
