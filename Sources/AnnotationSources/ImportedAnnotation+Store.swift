#if Store
  import AnnotationImport
  import SQLiteStore

  extension ImportedAnnotation: StorableAnnotation {}
#endif
