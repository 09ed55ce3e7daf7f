{{- define "weir.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}-weir
{{- end -}}

{{- define "weir.labels" -}}
{{ include "weir.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "weir.selector" -}}
app.kubernetes.io/name: weir
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "weir.secret" -}}
{{ .Values.secrets.existingSecret | default (include "weir.name" .) }}
{{- end -}}
