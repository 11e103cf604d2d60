using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Polyjuice.LiveView.Access;

namespace Polyjuice.LiveView.Api;

/// <summary>The paths. Those below <c>api/v1</c> are documented in <c>docs/operate/live-view.md</c>.</summary>
internal static class LiveViewRoutes
{
    /// <summary>Adds them, guarded.</summary>
    /// <param name="group">Where to.</param>
    /// <param name="services">What they look at.</param>
    /// <param name="stopping">The application stops.</param>
    public static void Map(RouteGroupBuilder group, LiveViewServices services, CancellationToken stopping)
    {
        var (figures, policies, streams) =
            (new FigureEndpoints(services), new PolicyEndpoints(services), new EventStreams(services, stopping));
        var page = new FirstPage(services);
        Get("/", page.GetAsync);
        Get("/assets/{file}", PageFiles.GetFileAsync);
        Get("/api/v1/status", figures.StatusAsync);
        Get("/api/v1/history", figures.HistoryAsync);
        Get("/api/v1/waits", figures.WaitsAsync);
        Get("/api/v1/grains", figures.GrainsAsync);
        Get("/api/v1/training", figures.TrainingAsync);
        Get("/api/v1/events", streams.FollowAsync);
        Get("/api/v1/policies", policies.ListAsync);
        Get("/api/v1/policies/current", policies.GetRunningAsync);
        Get("/api/v1/policies/diff", policies.DiffAsync);
        Get("/api/v1/policies/{version}", policies.GetAsync);
        group.MapPost("/api/v1/policies/rollback", Guarded(policies.RollBackAsync));
        if (services.Options.AuthorizationPolicy is { } name) group.RequireAuthorization(name);

        void Get(string path, RequestDelegate handle) => group.MapGet(path, Guarded(handle));

        RequestDelegate Guarded(RequestDelegate handle) => context =>
        {
            PageHeaders.Add(context.Response);
            return services.Options.AuthorizationPolicy is null && LoopbackRule.Check(context) is { } refusal
                ? refusal.WriteAsync(context)
                : handle(context);
        };
    }
}
