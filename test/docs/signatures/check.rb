require_relative "ofage_webhook"
STDIN.each_line do |line|
  body, signature, secrets = line.chomp.split(/ /, -1)
  begin
    # Ruby splits an empty text into no parts.
    list = (secrets.empty? ? [""] : secrets.split(",", -1)).map { |secret| secret.unpack1("m") }
    puts from_ofage?(body.unpack1("m"), signature.unpack1("m"), list)
  rescue StandardError
    puts "error"
  end
end
