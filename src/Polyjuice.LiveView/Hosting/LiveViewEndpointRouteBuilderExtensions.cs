using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Polyjuice.LiveView.Api;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Maps the live view.</summary>
public static class LiveViewEndpointRouteBuilderExtensions
{
    /// <summary>
    /// Serves the view below a path. With an authorization policy
    /// (<see cref="Polyjuice.LiveView.LiveViewOptions.AuthorizationPolicy"/>) the application's own authentication
    /// decides; without one it answers this machine alone.
    /// </summary>
    /// <param name="endpoints">The application's.</param>
    /// <param name="pattern">The path.</param>
    /// <returns>For conventions of the application's own.</returns>
    /// <exception cref="InvalidOperationException">
    /// <c>AddPolyjuiceLiveView</c> was not called, or there is no engine in this process's services.
    /// </exception>
    public static IEndpointConventionBuilder MapPolyjuiceLiveView(
        this IEndpointRouteBuilder endpoints, string pattern = "/polyjuice")
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        return endpoints.MapPolyjuiceLiveView(endpoints.ServiceProvider, pattern);
    }

    /// <summary>The same for a web application whose services are not those of the engines' host.</summary>
    /// <param name="endpoints">The web application's.</param>
    /// <param name="services">
    /// Those of the host with the engines, to which <c>AddPolyjuiceLiveView</c> was added.
    /// </param>
    /// <param name="pattern">The path.</param>
    /// <returns>For conventions of the application's own.</returns>
    /// <exception cref="InvalidOperationException"><c>AddPolyjuiceLiveView</c> was not called on them.</exception>
    public static IEndpointConventionBuilder MapPolyjuiceLiveView(
        this IEndpointRouteBuilder endpoints, IServiceProvider services, string pattern = "/polyjuice")
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(services);
        var view = services.GetService<LiveViewServices>()
            ?? throw new InvalidOperationException(
                "Call services.AddPolyjuiceLiveView() before the live view is mapped.");
        var group = endpoints.MapGroup(pattern);
        LiveViewRoutes.Map(
            group, view, endpoints.ServiceProvider.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping);
        return group;
    }
}
