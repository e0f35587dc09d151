package dev.millrace.app;

import dev.millrace.testing.Deployment;
import org.junit.jupiter.api.AutoClose;

/** The WAR in a program that embeds Jetty 12.1. */
final class WarInJettyIT implements DeploymentContract {
  @AutoClose private static final Deployment PROXY = DeploymentContract.start(Deployment.jetty());

  @Override
  public Deployment proxy() {
    return PROXY;
  }
}
