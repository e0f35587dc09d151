package dev.millrace.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Handler;
import org.jspecify.annotations.NullMarked;

/** The import table of docs/architecture.md: who may know whom, and which third parties. */
@AnalyzeClasses(packages = "dev.millrace", importOptions = ImportOption.DoNotIncludeTests.class)
class LayoutTest {
  private static final String ROOT = "dev.millrace.";

  /** Classes whose name begins with {@code Jetty} are the only ones that know Jetty's client. */
  private static final Pattern JETTY_CLASS = Pattern.compile(".*\\.Jetty\\w*(\\$.*)?");

  private static final Set<String> PACKAGES =
      Set.of(
          "stream",
          "metrics",
          "upstream",
          "link",
          "hls",
          "mp4",
          "cenc",
          "ts",
          "dash",
          "cache",
          "proxy",
          "servlet",
          "config",
          "app");

  private static final Pattern BANNED_NAME =
      Pattern.compile(".*(Utils?|Helper|Manager|Processor|Handler|Impl|Data|Info)(\\$.*)?");

  @ArchTest
  static final ArchRule everyPackageIsInTheTable =
      classes()
          .should()
          .resideInAnyPackage(PACKAGES.stream().map(name -> ROOT + name).toArray(String[]::new));

  @ArchTest static final ArchRule streamKnowsTheJdkOnly = imports("stream", List.of(), "");

  @ArchTest
  static final ArchRule metricsKnowsDropwizard =
      imports("metrics", List.of(), "com\\.codahale\\.metrics\\..*");

  @ArchTest
  static final ArchRule upstreamKnowsStreamAndContentOfJetty =
      classes()
          .that(describe("are in upstream and not Jetty…", LayoutTest::isPlainUpstream))
          .should()
          .onlyDependOnClassesThat(
              allowed(
                  List.of("stream", "metrics", "upstream"),
                  "org\\.slf4j\\..*|org\\.eclipse\\.jetty\\.io\\.Content(\\$.*)?"))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule jettyClassesOfUpstreamKnowItsClient =
      imports(
          "upstream",
          List.of("stream", "metrics"),
          "org\\.slf4j\\..*|org\\.eclipse\\.jetty\\.(client|io|http|http2|util)\\..*");

  @ArchTest
  static final ArchRule linkKnowsTheJdkAndJson =
      imports("link", List.of(), "tools\\.jackson\\.core\\..*");

  @ArchTest
  static final ArchRule proxyKnowsUpstreamAndLink =
      imports(
          "proxy",
          List.of("stream", "metrics", "upstream", "link", "hls", "mp4", "cenc", "dash"),
          "org\\.slf4j\\..*|tools\\.jackson\\.core\\..*");

  @ArchTest
  static final ArchRule hlsKnowsStreamAndJson =
      imports("hls", List.of("stream"), "tools\\.jackson\\.core\\..*");

  @ArchTest static final ArchRule mp4KnowsStream = imports("mp4", List.of("stream"), "");

  @ArchTest static final ArchRule tsKnowsMp4 = imports("ts", List.of("stream", "mp4"), "");

  @ArchTest static final ArchRule cencKnowsMp4 = imports("cenc", List.of("stream", "mp4"), "");

  @ArchTest static final ArchRule dashKnowsHls = imports("dash", List.of("stream", "hls"), "");

  @ArchTest
  static final ArchRule cacheKnowsUpstream =
      imports(
          "cache",
          List.of("stream", "metrics", "upstream"),
          "org\\.slf4j\\..*|com\\.github\\.benmanes\\.caffeine\\..*"
              + "|org\\.eclipse\\.jetty\\.io\\.Content(\\$.*)?");

  @ArchTest
  static final ArchRule servletKnowsContainerAndClient =
      imports(
          "servlet",
          List.of(
              "stream",
              "metrics",
              "upstream",
              "link",
              "hls",
              "mp4",
              "cenc",
              "ts",
              "dash",
              "cache",
              "proxy"),
          "org\\.slf4j\\..*|jakarta\\..*|tools\\.jackson\\.core\\..*"
              + "|org\\.eclipse\\.jetty\\.(ee11\\.proxy|client|io|http|util)\\..*");

  @ArchTest
  static final ArchRule configKnowsConfigRecordsOnly =
      classes()
          .that()
          .resideInAPackage(ROOT + "config")
          .should()
          .onlyDependOnClassesThat(
              allowed(
                  List.of("config"),
                  "tools\\.jackson\\..*|dev\\.millrace\\.(upstream|link|cache|cenc|proxy|servlet)\\.\\w+Config(\\$\\w+)?"
                      + "|dev\\.millrace\\.link\\.LinkFormat|dev\\.millrace\\.proxy\\.ContentRouting"))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule appIsImportedByNobody =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + "app")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "app")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule appKnowsItsThirdParties =
      imports(
          "app",
          List.copyOf(PACKAGES),
          "org\\.slf4j\\..*|jakarta\\..*|picocli\\..*|sun\\.misc\\.Signal(Handler)?|org\\.eclipse\\.jetty\\..*|org\\.bouncycastle\\..*");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching(ROOT + "(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule namesSayWhatAClassIs =
      noClasses()
          .that()
          .areNotAssignableTo(Handler.class)
          .should()
          .haveNameMatching(BANNED_NAME.pattern());

  @ArchTest
  static final ArchRule settingsAreReadInConfigOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + "config")
          .should()
          .accessTargetWhere(
              calls(System.class, "getenv").or(calls(System.class, "getPropert(y|ies)")));

  @ArchTest
  static final ArchRule timeIsInjectedOutsideOfApp =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + "app")
          .should()
          .accessTargetWhere(
              calls(System.class, "currentTimeMillis")
                  .or(calls(Instant.class, "now"))
                  .or(calls(Clock.class, "system.*")));

  @ArchTest
  static void everyPackageIsNullMarked(JavaClasses classes) {
    assertThat(classes)
        .filteredOn(type -> !type.getPackage().isAnnotatedWith(NullMarked.class))
        .isEmpty();
  }

  private static ArchRule imports(String name, List<String> own, String thirdParties) {
    return classes()
        .that()
        .resideInAPackage(ROOT + name)
        .should()
        .onlyDependOnClassesThat(allowed(own, thirdParties).or(inPackage(name)))
        .allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaClass> allowed(List<String> own, String thirdParties) {
    Pattern pattern = Pattern.compile("javax?\\..*|org\\.jspecify\\..*|" + thirdParties);
    return describe(
        "are in the JDK, " + own + " or match " + thirdParties,
        type -> {
          JavaClass element = type.getBaseComponentType();
          return element.isPrimitive()
              || pattern.matcher(element.getName()).matches()
              || own.stream().anyMatch(name -> inPackage(name).test(element));
        });
  }

  private static DescribedPredicate<JavaClass> inPackage(String name) {
    return describe(
        "are in " + name, type -> type.getBaseComponentType().getPackageName().equals(ROOT + name));
  }

  private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String method) {
    return describe(
        "calls " + owner.getSimpleName() + "." + method,
        access ->
            access.getTargetOwner().isEquivalentTo(owner)
                && nameMatching(method).test(access.getTarget()));
  }

  private static boolean isPlainUpstream(JavaClass type) {
    return inPackage("upstream").test(type) && !JETTY_CLASS.matcher(type.getName()).matches();
  }
}
