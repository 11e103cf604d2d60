using System.ComponentModel.DataAnnotations;
using Polyjuice.Policies.Publishing;

namespace Polyjuice.Storage;

/// <summary>
/// Keeps published policies as objects of a device, <c>00000001.json</c> and so on. Of several publishers the device
/// lets one put an entry. Thread-safe.
/// </summary>
/// <param name="device">Where. It is the caller's, and is not disposed.</param>
/// <param name="prepareAsync">Makes the device ready, before it is used first; may be called several times at
/// once.</param>
public class DevicePolicyEntries(ILogDevice device, Func<CancellationToken, Task> prepareAsync) : IPolicyEntries
{
    private volatile bool _isPrepared;

    /// <inheritdoc/>
    public string Location => device.Location;

    /// <inheritdoc/>
    public async ValueTask<int> GetLastAsync(CancellationToken cancellationToken)
    {
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        var last = 0;
        foreach (var entry in await device.ListAsync("", cancellationToken).ConfigureAwait(false))
            last = Math.Max(last, PolicyEntryName.NumberOf(entry.Name));
        return last;
    }

    /// <inheritdoc/>
    public async ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var length = await device.GetLengthAsync(PolicyEntryName.Of(number), cancellationToken).ConfigureAwait(false);
            if (length > IPolicyEntries.EntryBytesMax)
            {
                throw new InvalidDataException(
                    $"{Location}/{PolicyEntryName.Of(number)} has {length} bytes; an entry has at most "
                    + $"{IPolicyEntries.EntryBytesMax}. Somebody else wrote it: move it away.");
            }

            var content = new byte[length];
            var read = await device.ReadAsync(PolicyEntryName.Of(number), 0, content, cancellationToken).ConfigureAwait(false);
            return read == length
                ? content
                : throw new IOException(
                    $"{Location}/{PolicyEntryName.Of(number)} has {length} bytes, and {read} of them are there.");
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public async ValueTask<bool> CreateAsync(
        int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(content.Length, IPolicyEntries.EntryBytesMax);
        await PrepareAsync(cancellationToken).ConfigureAwait(false);
        return await device.PutAsync(PolicyEntryName.Of(number), Pieces(content), overwrite: false, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <summary>A value by the rules of an option, for what is no option itself.</summary>
    /// <param name="value">The value.</param>
    /// <param name="options">Any options of the option's class.</param>
    /// <param name="option">The option's name.</param>
    /// <param name="parameter">What the value is called.</param>
    /// <exception cref="ArgumentException">It breaks them; the message says what may be.</exception>
    protected static string Checked(string value, object options, string option, string parameter)
    {
        ArgumentNullException.ThrowIfNull(value, parameter);
        ArgumentNullException.ThrowIfNull(options);
        var results = new List<ValidationResult>();
        Validator.TryValidateProperty(value, new ValidationContext(options) { MemberName = option }, results);
        return results.Count == 0 ? value : throw new ArgumentException(results[0].ErrorMessage, parameter);
    }

    private static async IAsyncEnumerable<ReadOnlyMemory<byte>> Pieces(ReadOnlyMemory<byte> content)
    {
        yield return content;
        await ValueTask.CompletedTask.ConfigureAwait(false);
    }

    private async ValueTask PrepareAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_isPrepared) return;
        await prepareAsync(cancellationToken).ConfigureAwait(false);
        _isPrepared = true;
    }
}
