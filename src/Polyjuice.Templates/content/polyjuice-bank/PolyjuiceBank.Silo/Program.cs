using PolyjuiceBank.Silo;

var builder = WebApplication.CreateBuilder(args);

// What is recorded, learned and kept, and where, is in appsettings.json.
builder.UseOrleans(silo => silo
    .UseLocalhostClustering(
        builder.Configuration.GetValue("SiloPort", 11111), builder.Configuration.GetValue("GatewayPort", 30000))
    .UsePolyjuice()
    .AddTrainer());

builder.Services.AddPolyjuiceLiveView(view => view.Title = "PolyjuiceBank");
builder.Services.AddHealthChecks().AddPolyjuice();
builder.Services.AddHostedService<Customers>();

var app = builder.Build();
app.MapPolyjuiceLiveView("/polyjuice");
app.MapHealthChecks("/health/ready", new() { Predicate = check => check.Tags.Contains("ready") });
app.MapHealthChecks("/health/live", new() { Predicate = check => check.Tags.Contains("live") });
app.MapGet("/", () => Results.Redirect("/polyjuice/"));
await app.RunAsync();
