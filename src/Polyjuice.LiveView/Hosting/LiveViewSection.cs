using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Polyjuice.Contracts;

namespace Polyjuice.LiveView.Hosting;

/// <summary>
/// Options from the section <c>Polyjuice:LiveView</c> of the host's configuration, if it has one; the server's are in
/// <c>Polyjuice:LiveView:Server</c>. A key that nothing reads is refused, because it is most likely misspelt.
/// </summary>
/// <param name="services">The host's.</param>
internal sealed class LiveViewSection(IServiceProvider services) :
    IConfigureOptions<LiveViewOptions>, IConfigureOptions<LiveViewServerOptions>
{
    private const string Section = "Polyjuice:LiveView";
    private const string Server = nameof(Server);

    /// <inheritdoc/>
    public void Configure(LiveViewOptions options) => Bind(Section, options, Server);

    /// <inheritdoc/>
    public void Configure(LiveViewServerOptions options) => Bind($"{Section}:{Server}", options);

    private void Bind<TOptions>(string path, TOptions options, params ReadOnlySpan<string> others)
        where TOptions : class
    {
        if (services.GetService<IConfiguration>()?.GetSection(path) is not { } section) return;
        string[] known = [.. typeof(TOptions).GetProperties().Select(option => option.Name), .. others];
        foreach (var key in section.GetChildren())
        {
            if (known.Contains(key.Key, StringComparer.OrdinalIgnoreCase)) continue;
            throw new OptionsValidationException(
                Options.DefaultName, typeof(TOptions), [OptionText.Unread(key.Path, section.Path, known)]);
        }

        section.Bind(options);
    }
}
