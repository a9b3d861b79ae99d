export { fillTemplates as default } from './template.ts';
