using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Polyjuice.LiveView.Access;

/// <summary>
/// Refuses to start when the authorization policy that is to guard the view
/// is not there: better no view than one that nobody guards, or nobody sees.
/// </summary>
internal sealed class PolicyCheck(IOptions<LiveViewOptions> options, IServiceProvider services) : IHostedService
{
    /// <inheritdoc/>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (options.Value.AuthorizationPolicy is not { } name) return;
        var provider = services.GetService<IAuthorizationPolicyProvider>();
        if (provider is not null && await provider.GetPolicyAsync(name).ConfigureAwait(false) is not null) return;
        throw new OptionsValidationException(nameof(LiveViewOptions), typeof(LiveViewOptions),
            [
                $"LiveViewOptions.AuthorizationPolicy is \"{name}\", and the application has no authorization policy "
                + $"of that name: add it with services.AddAuthorization(options => options.AddPolicy(\"{name}\", …))."
            ]);
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
