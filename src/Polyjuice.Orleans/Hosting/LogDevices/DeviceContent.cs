using System.ComponentModel.DataAnnotations;

namespace Polyjuice.Storage;

/// <summary>What is kept on a device that logs can be kept on, and is no log. Thread-safe.</summary>
/// <param name="device">Where. It is the caller's, and is not disposed.</param>
/// <param name="prepareAsync">Makes the device ready, before it is used first; may be called several times at
/// once.</param>
internal abstract class DeviceContent(ILogDevice device, Func<CancellationToken, Task> prepareAsync)
{
    private volatile bool _isPrepared;

    /// <summary>Where that is, for people: without secrets.</summary>
    public string Location => device.Location;

    /// <summary>Where it is kept.</summary>
    private protected ILogDevice Device => device;

    /// <summary>Makes the device ready, if that has not been done.</summary>
    private protected async ValueTask PrepareAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_isPrepared) return;
        await prepareAsync(cancellationToken).ConfigureAwait(false);
        _isPrepared = true;
    }

    /// <summary>What is put there at once.</summary>
    private protected static async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces(ReadOnlyMemory<byte> content)
    {
        yield return content;
        await ValueTask.CompletedTask.ConfigureAwait(false);
    }

    /// <summary>A value by the rules of an option, for what is no option itself.</summary>
    /// <param name="value">The value.</param>
    /// <param name="options">Any options of the option's class.</param>
    /// <param name="option">The option's name.</param>
    /// <param name="parameter">What the value is called.</param>
    /// <exception cref="ArgumentException">It breaks them; the message says what may be.</exception>
    internal static string Checked(string value, object options, string option, string parameter)
    {
        ArgumentNullException.ThrowIfNull(value, parameter);
        ArgumentNullException.ThrowIfNull(options);
        var results = new List<ValidationResult>();
        Validator.TryValidateProperty(value, new ValidationContext(options) { MemberName = option }, results);
        return results.Count == 0 ? value : throw new ArgumentException(results[0].ErrorMessage, parameter);
    }
}
