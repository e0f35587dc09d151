package dev.millrace.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;

/** Reads the environment entries of a web application (Jakarta EE Platform §5.4). */
final class JndiEntries {
  private static final String SUBTREE = "java:comp/env/millrace";
  private static final int MAX_ENTRIES = 1_000;

  private JndiEntries() {}

  /**
   * Entries below {@code java:comp/env/millrace}, by the rest of their name; none in containers
   * without JNDI.
   *
   * @param problems receives why the subtree cannot be read
   */
  static Map<String, String> read(List<String> problems) {
    Map<String, String> texts = new LinkedHashMap<>();
    try {
      NamingEnumeration<Binding> bindings = new InitialContext().listBindings(SUBTREE);
      while (bindings.hasMore() && texts.size() < MAX_ENTRIES) {
        Binding binding = bindings.next();
        texts.put(binding.getName(), String.valueOf(binding.getObject()));
      }
      bindings.close();
    } catch (NameNotFoundException | NoInitialContextException absent) {
      return texts;
    } catch (NamingException e) {
      problems.add(SUBTREE + ": cannot be read (" + e.getClass().getSimpleName() + ")");
    }
    return texts;
  }
}
