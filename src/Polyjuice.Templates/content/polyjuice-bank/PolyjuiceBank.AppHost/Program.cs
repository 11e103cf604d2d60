var builder = DistributedApplication.CreateBuilder(args);

// One silo, whose logs are files. It records calls for the trainer; a thousandth of them has spans.
var silo = builder.AddProject("silo", "../PolyjuiceBank.Silo/PolyjuiceBank.Silo.csproj")
    .WithHttpEndpoint(port: 5080, isProxied: false)
    .WithUrlForEndpoint("http", url => (url.Url, url.DisplayText) = ("/polyjuice/", "Polyjuice"))
    .WithHttpHealthCheck("/health/ready")
    .WithEnvironment("Polyjuice__Trace__RecordsCalls", "true")
    .WithEnvironment("Polyjuice__Trace__RecordsStates", "true")
    .WithEnvironment("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
    .WithEnvironment("OTEL_TRACES_SAMPLER_ARG", "0.001");

// Started by hand in the dashboard, once there are recordings.
builder.AddProject("trainer", "../PolyjuiceBank.Trainer/PolyjuiceBank.Trainer.csproj")
    .WithArgs(
        "--trace", "../PolyjuiceBank.Silo/data/traces", "--clients", "32", "--budget", "30s", "--out", "learned.json")
    .WithParentRelationship(silo)
    .WithExplicitStart();

await builder.Build().RunAsync();
